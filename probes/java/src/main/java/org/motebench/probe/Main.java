package org.motebench.probe;
final class Main { private Main() {} public static void main(String[] a) {} }
