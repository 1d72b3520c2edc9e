"""The choice of a cipher for a device, message, radio and battery, with reasons."""
