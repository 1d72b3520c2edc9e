package org.motebench.probe;

/**
 * Operation of one iteration, with its name on the wire; docs/explain/methods.md says which part
 * is timed.
 */
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
    AGREE("agree"),
    ENCAPSULATE("encapsulate"),
    DECAPSULATE("decapsulate");

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

    /** Signatures bind a context, where the scheme has one. */
    public boolean takesContext() {
        return this == SIGN || this == VERIFY;
    }

    /** It draws random bytes, or takes them as a seed. */
    public boolean takesSeed() {
        return this == KEYGEN || this == ENCAPSULATE;
    }

    /** Two runs need not give the same output; with a seed they must. */
    public boolean isRandom() {
        return takesSeed() || this == SIGN;
    }

    /** The key of its output in a reply. */
    public String output() {
        return switch (this) {
            case SIGN -> "signature";
            case KEYGEN -> "private";
            case AGREE, DECAPSULATE -> "secret";
            case ENCAPSULATE -> "ciphertext";
            default -> "out";
        };
    }

    /** The key of its second output, if it has one. */
    public String secondOutput() {
        return this == KEYGEN ? "public" : this == ENCAPSULATE ? "secret" : "tag";
    }
}
