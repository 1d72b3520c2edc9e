"""The choice: which cipher for this device, message, radio and battery, and why not the others."""
