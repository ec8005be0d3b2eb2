//! Empty: this package only states, in its manifest, where the FreeRTOS kernel comes from.
