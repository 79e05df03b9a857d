"""Every published item, measured at a size of seconds: `make evidence-quick`."""
