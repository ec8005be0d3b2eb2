//! Nothing: this package only names, in its manifest, where the FreeRTOS kernel comes from.
