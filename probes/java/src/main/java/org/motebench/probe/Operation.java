package org.motebench.probe;

/** What is done once per iteration, with its name on the wire; docs/methods.md says what of it is timed. */
public enum Operation {
    KEY_SETUP("key-setup"),
    ENCRYPT("encrypt"),
    DECRYPT("decrypt"),
    ENCRYPT_MESSAGE("encrypt-message"),
    DECRYPT_MESSAGE("decrypt-message"),
    ENCRYPT_NEW_KEY("encrypt-new-key"),
    DIGEST("digest"),
    MAC("mac"),
    KEYGEN("keygen"),
    SIGN("sign"),
    VERIFY("verify"),
    AGREE("agree");

    private final String text;

    Operation(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** The operation of that name, or null. */
    public static Operation named(String name) {
        for (Operation operation : values()) {
            if (operation.text.equals(name)) {
                return operation;
            }
        }
        return null;
    }

    /** Bulk data of a long message: works in place, in multiples of the scheme's block. */
    public boolean isBulk() {
        return this == ENCRYPT || this == DECRYPT;
    }

    public boolean isDecryption() {
        return this == DECRYPT || this == DECRYPT_MESSAGE;
    }

    /** Encryption of whole messages, which gives a tag where the scheme has one. */
    public boolean givesTag() {
        return this == ENCRYPT_MESSAGE || this == ENCRYPT_NEW_KEY;
    }

    public boolean usesNonce() {
        return isBulk() || givesTag() || this == DECRYPT_MESSAGE;
    }

    /** Two runs need not give the same output. */
    public boolean isRandom() {
        return this == KEYGEN || this == SIGN;
    }
}
