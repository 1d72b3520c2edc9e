"""Radio: time on air of a packet, and what LoRaWAN adds to a message and allows."""
