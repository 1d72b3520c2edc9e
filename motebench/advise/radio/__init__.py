"""Radio: time on air of a packet, and the bytes and limits of LoRaWAN."""
