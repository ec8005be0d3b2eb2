//! Nothing: this package only names, in its manifest, where schemas come from.
