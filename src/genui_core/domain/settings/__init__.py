"""The settings of the config file: their keys, defaults and descriptions."""
