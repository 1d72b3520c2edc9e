"""Tables in the forms that people have: planted errors are found as they come, and sound tables
have no alarm.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from paper_tables import FORMS, HELD_OUT, TUNED, Author, Form, PaperTable, as_xlsx, written

from motebench.base.errors import InputError
from motebench.catalog.published import Statistic
from motebench.documents.papers import AuditEntry, Weight
from motebench.publications.audit import forms
from motebench.publications.audit.auditing import audit_file
from motebench.publications.audit.columns import english
from motebench.publications.audit.forms import grids
from motebench.publications.audit.reading import read
from motebench.publications.audit.sheets import NumberStyle, plain_number

Kind = Callable[[Author], PaperTable]


def told(entry: AuditEntry, wrong: str) -> bool:
    """True if a finding that is more than a note has the wrong number, or says the words."""
    texts = " ".join(
        " ".join(
            [
                finding.what,
                *(f"{cell.cell} {cell.printed} {cell.computed}" for cell in finding.cells),
            ]
        )
        for finding in entry.findings
        if finding.weight != Weight.NOTE
    )
    return wrong.replace(",", ".") in texts.replace(",", ".").replace("\u202f", "")


def alarms(entry: AuditEntry) -> list[str]:
    return [f"{each.check}: {each.what}" for each in entry.findings if each.weight != Weight.NOTE]


def cases(
    kinds: tuple[Kind, ...],
) -> Iterator[tuple[Kind, Form, int]]:
    """Each kind of table in two forms."""
    for place, kind in enumerate(kinds):
        for form in range(2):
            yield kind, FORMS[(3 * place + 7 * form) % len(FORMS)], 100 * place + form


@pytest.mark.parametrize("kinds", [TUNED, HELD_OUT], ids=["tuned", "held out"])
def test_planted_errors_are_found_as_they_come(tmp_path: Path, kinds: tuple[Kind, ...]) -> None:
    missed = []
    for kind, form, seed in cases(kinds):
        path, table = written(kind, form, tmp_path, seed=seed, planted=True)
        if not told(audit_file(path), table.wrong):
            missed.append(path.name)
    assert len(missed) <= 1, missed


@pytest.mark.parametrize("kinds", [TUNED, HELD_OUT], ids=["tuned", "held out"])
def test_sound_tables_have_no_alarm(tmp_path: Path, kinds: tuple[Kind, ...]) -> None:
    sound = list(cases(kinds))
    assert len(sound) == 30
    for kind, form, seed in sound:
        path, _ = written(kind, form, tmp_path, seed=seed, planted=False)
        entry = audit_file(path)
        assert alarms(entry) == [], path.name
        assert entry.tables[0].unread == ()
        assert sum(look.looks for look in entry.checks) > 0


# By hand, each with what must be said; without, the table is sound.
BY_HAND: dict[str, tuple[str, str, str]] = {
    "a spreadsheet with two heads and a unit row": (
        "csv",
        "3.91",
        """\
Table 5 - AES on three boards,,,,,
,Encryption,,Decryption,,
Board,Time,Energy,Time,Energy,Total energy
,[ms],[mJ],[ms],[mJ],[mJ]
Arduino Uno,4.21,0.842,6.32,1.264,2.106
ESP32,0.112,0.0459,0.139,0.0570,0.1029
nRF52840,0.268,0.00884,0.331,0.01092,0.01976
STM32L4,0.391,0.0117,0.484,3.91,0.0262
Measured at 25 degrees,,,,,
""",
    ),
    "percent of a total in German": (
        "csv",
        "33,7",
        """\
Komponente;Energie [mJ];Anteil [%]
Funk;1.204,5;61,7
Sensor;311,2;15,9
Verschlüsselung;257,8;33,7
Ruhe;178,9;9,2
Summe;1.952,4;100,0
""",
    ),
    "sound: percent of a total in German": (
        "csv",
        "",
        """\
Komponente;Energie [mJ];Anteil [%]
Funk;1.204,5;61,7
Sensor;311,2;15,9
Verschlüsselung;257,8;13,2
Ruhe;178,9;9,2
Summe;1.952,4;100,0
""",
    ),
    "LaTeX with siunitx, groups and citations": (
        "tex",
        "18.3",
        r"""
\begin{table}
\caption{Performance of lightweight ciphers on an 8-bit AVR (\SI{16}{\mega\hertz})}
\begin{tabular}{l S[table-format=5.0] S[table-format=4.0] S[table-format=2.2]}
\toprule
{Cipher} & {Cycles} & {Cycles/byte} & {Time (\si{\milli\second})} \\
\midrule
\multicolumn{4}{l}{\textit{Block of 16 bytes}} \\
AES~\cite{daemen} & 3168 & 198 & 0.198 \\
PRESENT~\cite{bog} & 45600 & 2850 & 2.85 \\
SPECK & 2464 & 154 & 0.154 \\
\multicolumn{4}{l}{\textit{Block of 8 bytes}} \\
XTEA & 5792 & 724 & 0.362 \\
HIGHT & 2928 & 366 & 18.3 \\ % typo here
Simon & 4608 & 576 & 0.288 \\
\bottomrule
\end{tabular}
\end{table}
""",
    ),
    "Markdown with bold and relative speed": (
        "md",
        "1.31",
        """\
Some text.

| Library | Time (µs) | vs. OpenSSL |
|:--|--:|--:|
| **OpenSSL** | **12.4** | **1.00×** |
| mbedTLS | 31.7 | 2.56× |
| wolfSSL | 19.3 | 1.31× |
| BearSSL | 27.9 | 2.25× |
| libsodium | 14.1 | 1.14× |
""",
    ),
    "HTML with rowspans and a mean": (
        "html",
        "7.88",
        """\
<table><tr><th rowspan="2">Algorithm</th><th colspan="3">Encryption time (ms)</th><th rowspan="2">Average</th></tr>
<tr><th>Run 1</th><th>Run 2</th><th>Run 3</th></tr>
<tr><td>AES</td><td>2.31</td><td>2.35</td><td>2.29</td><td>2.32</td></tr>
<tr><td>DES</td><td>5.10</td><td>5.22</td><td>5.05</td><td>5.12</td></tr>
<tr><td>3DES</td><td>14.8</td><td>14.9</td><td>15.1</td><td>14.9</td></tr>
<tr><td>RC4</td><td>1.12</td><td>1.14</td><td>1.10</td><td>1.12</td></tr>
<tr><td>Blowfish</td><td>3.02</td><td>2.98</td><td>2.97</td><td>7.88</td></tr>
</table><p>* all on a Pi 4</p>
""",
    ),
    "French, with spaces as thousands": (
        "csv",
        "6 840",
        """\
Taille (octets);AES (µs);DES (µs);3DES (µs)
1024;34,1;85,3;250,1
4096;136,0;341,5;1 001,2
16384;545,1;1 365,0;4 004,0
65536;2 180,3;5 461,2;16 020,5
262144;8 721,0;21 845,0;6 840,2
""",
    ),
    "a speed-up that is the other way round in one row": (
        "csv",
        "0.42",
        """\
Operation,Software (ms),Hardware (ms),Speedup
AES-128,3.20,0.41,7.80
AES-256,4.45,0.52,8.56
SHA-256,2.90,0.65,4.46
ECC sign,310,130,0.42
ECC verify,402,161,2.50
HMAC,6.10,1.35,4.52
""",
    ),
    "standard deviations that are variances": (
        "csv",
        "variance",
        """\
File size (KB),Mean (ms),SD (ms)
10,1.02,0.0027
50,4.98,0.063
100,10.1,0.24
500,50.3,6.4
1000,99.7,24.1
""",
    ),
    "means outside of minimum and maximum": (
        "csv",
        "52.1",
        """\
cipher,min,mean,max,unit
AES,20.1,21.5,25.2,ms
DES,41.0,52.1,47.9,ms
RC4,9.8,10.4,12.0,ms
""",
    ),
    "exchanged cells": (
        "csv",
        "exchanged",
        """\
Algorithm,1 KB,10 KB,100 KB,1 MB
AES,0.12,1.10,10.9,109
DES,0.31,3.02,8.1,302
Blowfish,0.08,0.82,30.1,81.3
RC4,0.05,0.49,4.8,48.2
Camellia,0.15,1.41,14.0,140
Twofish,0.13,1.22,12.1,121
""",
    ),
    "an overhead with the wrong sign of ten": (
        "md",
        "3.1",
        """\
| Protocol | Plain (B) | Secured (B) | Overhead (%) |
|---|---|---|---|
| MQTT | 64 | 93 | 45.3 |
| CoAP | 48 | 61 | 27.1 |
| HTTP | 420 | 551 | 3.1 |
| LwM2M | 112 | 141 | 25.9 |
| AMQP | 150 | 183 | 22.0 |
""",
    ),
    "sound: years, references and key sizes are labels": (
        "csv",
        "",
        """\
No.,Cipher,Year,Ref.,Key size,Block size,Rounds,Gates,Time (ms)
1,AES,2001,[12],128,128,10,3400,0.21
2,PRESENT,2007,[3],80,64,31,1570,3.40
3,SIMON,2013,[44],128,64,44,1484,2.95
4,SPECK,2013,[44],128,64,27,1658,1.31
5,HIGHT,2006,[7],128,64,32,3048,2.02
6,XTEA,1997,[9],128,64,64,3490,1.80
""",
    ),
    "sound: ± and a column that is absent in a row": (
        "tex",
        "",
        r"""
\begin{tabular}{|l|c|c|c|}
\hline
Scheme & Sign (ms) & Verify (ms) & Signature (bytes) \\ \hline \hline
RSA-2048 & $98.2 \pm 1.1$ & $2.9 \pm 0.1$ & 256 \\ \hline
ECDSA P-256 & $12.4 \pm 0.3$ & $24.1 \pm 0.4$ & 64 \\ \hline
Ed25519 & $5.1 \pm 0.1$ & $13.0 \pm 0.2$ & 64 \\ \hline
HMAC & $0.4 \pm 0.0$ & -- & 32 \\ \hline
\end{tabular}
""",
    ),
    "sound: energy and its parts that are rounded": (
        "csv",
        "",
        """\
Algorithme;Temps (ms);Puissance (mW);Énergie (µJ);Énergie par octet (µJ/B)
AES;1,52;82,1;124,8;0,122
PRESENT;22,10;80,9;1 787,9;1,746
SPECK;0,98;81,5;79,9;0,078
ChaCha20;0,71;84,0;59,6;0,058
""",
    ),
    "sound: a mean speed-up that is the geometric one": (
        "md",
        "",
        """\
| Benchmark | Base (ms) | Vector (ms) | Speedup |
|---|---|---|---|
| aes | 10.2 | 3.1 | 3.29 |
| sha | 8.4 | 4.9 | 1.71 |
| ecc | 120.5 | 60.1 | 2.00 |
| rsa | 310.2 | 88.4 | 3.51 |
| Geomean | | | 2.51 |
""",
    ),
    "sound: thresholds and failures in place of numbers": (
        "csv",
        "",
        """\
Algorithm,Time (ms),Memory (KB)
AES,1.5,2.1
DES,> 1000,out of memory
RC4,0.8,1.1
ChaCha20,~2,n/a
""",
    ),
    "a total row that misses a row": (
        "html",
        "41,204",
        """\
<h2>Code size</h2><table><thead><tr><th>Module</th><th>Flash (bytes)</th><th>RAM (bytes)</th></tr></thead>
<tbody><tr><td>Kernel<sup>a</sup></td><td>18,204</td><td>2,112</td></tr>
<tr><td>Network</td><td>14,880</td><td>4,096</td></tr>
<tr><td>Crypto</td><td>9,120</td><td>812</td></tr>
<tr><td>App</td><td>3,900</td><td>640</td></tr>
<tr><td><b>Total</b></td><td>41,204</td><td>7,660</td></tr></tbody></table><p>a: with drivers</p>
""",
    ),
    "a battery that lasts too long": (
        "csv",
        "812",
        """\
Cipher,Charge per day (mAh),Battery (mAh),Lifetime (days)
AES,4.11,2400,584
PRESENT,6.02,2400,399
SPECK,3.87,2400,620
ChaCha20,3.92,2400,812
Ascon,4.05,2400,593
""",
    ),
    "throughput in the wrong prefix": (
        "md",
        "0.0312",
        """\
| Algorithm | Block (bytes) | Time (µs) | Throughput (MB/s) |
|---|---|---|---|
| AES | 1024 | 34.1 | 30.0 |
| DES | 1024 | 84.6 | 12.1 |
| 3DES | 1024 | 252 | 4.06 |
| RC4 | 1024 | 17.0 | 60.2 |
| Blowfish | 1024 | 32.8 | 0.0312 |
""",
    ),
    "sum of columns, Spanish": (
        "csv",
        "52,9",
        """\
Cifrador;Clave (bits);Inicialización (ms);Cifrado (ms);Descifrado (ms);Suma (ms)
AES;128;1,21;10,35;10,81;22,37
DES;56;0,84;24,10;24,05;48,99
3DES;168;2,10;70,91;71,20;144,21
Blowfish;128;18,30;9,80;9,75;52,9
RC4;128;0,40;5,11;5,12;10,63
""",
    ),
    "mean of rows, pt html": (
        "html",
        "21,90",
        """\
<table><tr><td colspan=3>Tabela 2. Tempo de cifragem</td></tr><tr><td>Mensagem</td><td>AES (ms)</td><td>3DES (ms)</td></tr><tr><td>1 kB</td><td>1,20</td><td>8,90</td></tr><tr><td>2 kB</td><td>2,35</td><td>17,60</td></tr><tr><td>4 kB</td><td>4,71</td><td>35,30</td></tr><tr><td>8 kB</td><td>9,38</td><td>70,80</td></tr><tr><td>Média</td><td>4,41</td><td>21,90</td></tr></table>""",
    ),
    "ratio dec/enc": (
        "md",
        "1.61",
        """\
| Cipher | Enc (cycles) | Dec (cycles) | Dec/Enc |
|--|--|--|--|
| AES | 3,168 | 4,120 | 1.30 |
| PRESENT | 11,342 | 13,599 | 1.20 |
| SPECK | 1,480 | 1,510 | 1.02 |
| SIMON | 2,015 | 2,043 | 1.61 |
| Camellia | 6,412 | 6,455 | 1.01 |
""",
    ),
    "efficiency per area": (
        "csv",
        "0.0919",
        """\
Design,Area (GE),Throughput (kbit/s),Efficiency (kbit/s/GE)
AES,3400,12.4,0.00365
PRESENT,1570,200,0.127
PRESENT-s,1075,11.7,0.0109
KATAN,1054,25.1,0.0238
HIGHT,3048,188.2,0.0919
""",
    ),
    "energy with wrong current": (
        "tex",
        "27.3",
        r"""\begin{tabular}{lrrrr}\hline
Cipher & $I$ (mA) & $U$ (V) & $P$ (mW) & Time (ms)\\ \hline
AES & 22.1 & 3.3 & 72.9 & 1.21\\
DES & 21.8 & 3.3 & 71.9 & 2.83\\
RC4 & 27.3 & 3.3 & 71.6 & 0.70\\
Present & 22.5 & 3.3 & 74.3 & 11.20\\
Speck & 21.9 & 3.3 & 72.3 & 0.93\\ \hline
\end{tabular}""",
    ),
    "3DES faster": (
        "csv",
        "3DES is faster than DES",
        """\
Algorithm;Time (s)
AES;0.97
DES;4.21
3DES;1.52
RC4;0.44
""",
    ),
    "throughput fixed size in title": (
        "csv",
        "1.21",
        """\
Encryption of a 1 MB file,,
Algorithm,Time (ms),Throughput (MB/s)
AES,30.1,33.2
DES,82.5,12.1
3DES,246.0,4.07
RC4,16.4,61.0
Blowfish,38.2,1.21
""",
    ),
    "percent saved, chinese": (
        "csv",
        "71.2",
        """\
方案,原始能耗 (mJ),优化能耗 (mJ),节省 (%)
AES,12.5,8.1,35.2
PRESENT,33.2,21.4,35.5
SPECK,6.8,4.9,27.9
SM4,15.1,10.4,71.2
Ascon,9.9,7.0,29.3
""",
    ),
    "total of parts by row group": (
        "html",
        "1,312",
        """\
<table><thead><tr><th rowspan=2>Library</th><th colspan=3>Code size (bytes)</th></tr><tr><th>Cipher</th><th>Hash</th><th>Sum</th></tr></thead><tr><td>A</td><td>812</td><td>402</td><td>1,214</td></tr><tr><td>B</td><td>1,020</td><td>512</td><td>1,532</td></tr><tr><td>C</td><td>2,204</td><td>1,118</td><td>3,322</td></tr><tr><td>D</td><td>905</td><td>307</td><td>1,312</td></tr></table>""",
    ),
    "key size order RSA": (
        "csv",
        "RSA",
        """\
Scheme,Key (bits),Sign (ms),Verify (ms)
RSA,1024,1.9,38.2
RSA,2048,6.8,251.0
RSA,4096,25.4,1830.0
""",
    ),
    "median above maximum": (
        "csv",
        "9.12",
        """\
Op,n,Min (us),Median (us),Max (us)
put,100,3.1,4.0,7.7
get,100,1.9,2.2,8.12
sign,100,7.01,9.12,8.55
""",
    ),
    "unit ms for us": (
        "csv",
        "1000",
        """\
Cipher,Size (B),Time (ms),Throughput (MB/s)
AES,1024,33.1,30.9
DES,1024,84.2,12.2
RC4,1024,17.2,59.5
Blowfish,1024,40.9,25.0
""",
    ),
    "difference with sign": (
        "tex",
        "1.95",
        r"""\begin{table}\caption{Before and after}\begin{tabular}{|c|c|c|c|}\hline \textbf{Cipher} & \textbf{Before [ms]} & \textbf{After [ms]} & \textbf{$\Delta$ [ms]}\\\hline
AES & 4.11 & 3.20 & $-0.91$\\ DES & 9.80 & 8.15 & $-1.65$\\ RC4 & 2.20 & 2.05 & $-0.15$\\ Speck & 3.95 & 2.90 & $-1.95$\\ Simon & 5.01 & 4.40 & $-0.61$\\\hline\end{tabular}\end{table}""",
    ),
    "copied rows": (
        "csv",
        "DES",
        """\
Algorithm,16 B,64 B,256 B,1024 B
AES,12.31,44.20,171.9,683.1
DES,33.11,127.4,504.8,2014
Blowfish,33.11,127.4,504.8,2014
RC4,9.81,20.5,63.9,237.0
""",
    ),
    "duty cycle": (
        "csv",
        "0.61",
        """\
Device,Active (ms),Period (ms),Duty cycle (%)
A,12.0,1000,1.20
B,33.5,5000,0.67
C,8.1,2000,0.61
D,90.2,10000,0.90
E,4.4,1000,0.44
""",
    ),
    "speedup threads": (
        "md",
        "5.9",
        """\
| Threads | Time (s) | Speedup | Efficiency (%) |
|-|-|-|-|
| 1 | 80.4 | 1.00 | 100 |
| 2 | 41.0 | 1.96 | 98 |
| 4 | 21.3 | 3.77 | 94 |
| 8 | 11.9 | 5.9 | 84 |
| 16 | 7.1 | 11.3 | 71 |
""",
    ),
    "digit slip": (
        "csv",
        "310.5",
        """\
Verfahren;PC [ms];Pi [ms];ESP32 [ms]
AES;1,21;8,4;31,0
DES;3,30;23,2;85,9
3DES;9,70;67,1;249,8
RC4;0,61;4,2;15,4
Blowfish;1,22;8,5;310,5
""",
    ),
    "sound: key sizes, both directions and memory": (
        "csv",
        "",
        """\
Algorithm,Key size,Encryption time (ms),Decryption time (ms),Memory (KB),CPU (%)
AES,128,12.1,12.9,204,31
AES,192,13.8,14.0,204,32
AES,256,15.2,15.9,208,31
DES,56,31.0,30.2,198,45
3DES,168,88.1,88.9,200,61
RC4,128,6.2,6.1,196,22
""",
    ),
    "sound: years and references": (
        "md",
        "",
        """\
| Year | Author | Platform | Cipher | Time (ms) | Ref. |
|-|-|-|-|-|-|
| 2019 | Kim | ATmega | AES | 3.1 | [4] |
| 2020 | Lee | ESP32 | AES | 0.12 | [9] |
| 2021 | Cho | STM32 | PRESENT | 1.9 | [11] |
| 2021 | Silva | nRF52 | SPECK | 0.2 | [12] |
""",
    ),
    "sound: shares that add to 100.1": (
        "csv",
        "",
        """\
Anteil;Energie (mJ);Anteil (%)
Funk;120,1;60,1
CPU;40,2;20,1
Sensor;20,1;10,1
Rest;19,5;9,8
""",
    ),
    "sound: cells that are not closed": (
        "html",
        "",
        """\
<table><tr><th>Size<th>AES<th>DES<th>3DES</tr><tr><td>1 KB<td>0.1<td>0.3<td>0.9</tr><tr><td>10 KB<td>1.0<td>2.9<td>8.8</tr><tr><td>100 KB<td>10<td>29<td>87</tr><tr><td>1 MB<td>101<td>288<td>874</tr></table>""",
    ),
    "sound: sizes of keys and signatures": (
        "tex",
        "",
        r"""\begin{tabular}{lccc} Scheme & Public key (bytes) & Signature (bytes) & Sign (ms) \\ \hline ML-DSA-44 & 1312 & 2420 & 1.9\\ ML-DSA-65 & 1952 & 3309 & 2.8\\ Falcon-512 & 897 & 666 & 12.0\\ SPHINCS+ & 32 & 7856 & 1800\\ \end{tabular}""",
    ),
    "sound: a mean and a deviation below": (
        "csv",
        "",
        """\
Run,Time (s),Temperature (C)
1,10.21,21.0
2,10.19,21.4
3,10.24,21.9
4,10.20,22.3
Mean,10.21,21.65
Std. dev.,0.02,0.57
""",
    ),
    "sound: spreads of all sizes": (
        "csv",
        "",
        """\
Cipher,Mean (ms),SD (ms),n
AES,1.21,0.05,30
DES,3.02,0.21,30
3DES,9.21,0.33,30
RC4,0.62,0.22,30
Speck,0.71,0.01,30
""",
    ),
    "sound: a speed-up alone": (
        "csv",
        "",
        """\
Algorithm,Speedup over software
AES,12.1
SHA-256,4.4
ECC,2.3
RSA,8.8
""",
    ),
    "sound: improvement over the first row": (
        "md",
        "",
        """\
| Cipher | Time (ms) | Energy (mJ) | Improvement over AES (%) |
|-|-|-|-|
| AES | 10.4 | 0.85 | - |
| SPECK | 4.1 | 0.34 | 60.6 |
| ChaCha20 | 3.3 | 0.27 | 68.3 |
| Ascon | 5.9 | 0.48 | 43.3 |
""",
    ),
    "sound: a total with parts that are not printed": (
        "csv",
        "",
        """\
Protocol,Handshake (ms),Data (ms),Total (ms),Packets
TLS 1.2,310.2,20.1,331.0,12
TLS 1.3,215.9,20.3,236.9,9
DTLS,280.3,22.8,303.9,11
OSCORE,0,24.1,24.4,2
""",
    ),
    "LaTeX decimals comma groups": (
        "tex",
        "7,90",
        r"""\begin{table}\begin{tabular}{@{}lS[table-format=3.2]S@{}}\toprule
& \multicolumn{2}{c}{Temps (ms)} & \\ \cmidrule(lr){2-3}
Algorithme & Sans & Avec & Rapport\\ \midrule
\textsc{Aes} & 12,40 & 19,30 & 1,56\\
\textsc{Des} & 31,00 & 40,50 & 1,31\\
\textsc{Present} & 88,10 & 120,00 & 1,36\\
\textsc{Speck} & 4,10 & 5,50 & 1,34\\
\textsc{Simon} & 5,70 & 9,00 & 7,90\\ \bottomrule\end{tabular}\end{table}""",
    ),
    "lifetime years": (
        "md",
        "14.2",
        """\
| Mode | Avg. current (µA) | Capacity (mAh) | Lifetime (h) |
|---|---|---|---|
| None | 12.1 | 1200 | 99174 |
| AES | 15.8 | 1200 | 75949 |
| ECC | 44.0 | 1200 | 14.2 |
| RSA | 120.5 | 1200 | 9959 |
| Hybrid | 61.3 | 1200 | 19576 |
""",
    ),
    "percent column vs total row": (
        "csv",
        "22.9",
        """\
Stage,Time (ms),% of total
Key expansion,4.2,7.8
SubBytes,18.9,35.1
ShiftRows,3.3,6.1
MixColumns,22.1,22.9
AddRoundKey,5.4,10.0
Total,53.9,100
""",
    ),
    "swapped rows in energy": (
        "csv",
        "exchang",
        """\
Algorithm,ESP32 (mJ),STM32 (mJ),nRF52 (mJ),AVR (mJ)
AES,0.51,0.21,0.11,4.1
DES,1.62,3.30,0.36,13.0
3DES,4.80,2.01,1.05,38.9
Blowfish,8.20,0.68,1.79,66.0
Camellia,0.70,0.29,0.15,5.6
SEED,0.92,0.38,0.20,7.4
""",
    ),
    "bytes sum payload": (
        "html",
        "95",
        """\
<table><tr><th>Message</th><th>Header (bytes)</th><th>Token (bytes)</th><th>Payload (bytes)</th><th>Frame (bytes)</th></tr>
<tr><td>GET</td><td>4</td><td>8</td><td>12</td><td>24</td></tr><tr><td>PUT</td><td>4</td><td>8</td><td>64</td><td>76</td></tr><tr><td>POST</td><td>4</td><td>8</td><td>73</td><td>95</td></tr><tr><td>DELETE</td><td>4</td><td>4</td><td>10</td><td>18</td></tr><tr><td>ACK</td><td>4</td><td>0</td><td>0</td><td>4</td></tr></table>""",
    ),
    "mean of three runs with sd": (
        "csv",
        "16.9",
        """\
Scheme,Run 1 (s),Run 2 (s),Run 3 (s),Mean (s),SD (s)
A,10.1,10.4,10.2,10.23,0.15
B,12.9,12.7,13.1,12.90,0.20
C,15.2,15.0,15.3,16.9,0.15
D,20.4,20.9,20.6,20.63,0.25
""",
    ),
    "German unit row": (
        "csv",
        "812",
        """\
Messung der Verschlüsselung (n = 50);;;
Verfahren;Mittelwert;Stabw.;Durchsatz
;ms;ms;kB/s
AES;4,10;0,12;250
DES;9,85;0,21;104
3DES;28,30;0,55;36,2
RC4;2,02;0,09;507
Twofish;3,95;0,11;812
Nachrichten von 1024 Byte;;;
""",
    ),
    "clock": (
        "csv",
        "12900",
        """\
Board,Clock (MHz),Cycles,Time (ms)
Uno,16,31680,1.98
Due,84,14100,0.168
Teensy,600,9800,0.0163
Pico,125,15200,0.122
ESP32,240,12900,0.538
""",
    ),
    "CV": (
        "md",
        "9.1",
        """\
| Cipher | Mean (µs) | σ (µs) | σ/mean (%) |
|-|-|-|-|
| AES | 41.2 | 1.3 | 3.2 |
| DES | 99.0 | 2.7 | 2.7 |
| RC4 | 20.1 | 0.9 | 9.1 |
| SPECK | 31.1 | 1.0 | 3.2 |
""",
    ),
    "throughput MiB": (
        "csv",
        "4.10",
        """\
Cipher;Data (MB);Time (s);Rate (MB/s)
AES;100;3.31;30.2
DES;100;8.25;12.1
3DES;100;26.1;3.83
Blowfish;100;3.92;25.5
CAST;100;4.10;44.4
""",
    ),
    "zh total row": (
        "csv",
        "9020",
        """\
模块,代码 (字节),数据 (字节)
内核,5120,812
加密,2310,256
网络,1890,1024
合计,9020,2092
""",
    ),
    "normalised to min": (
        "md",
        "2.1",
        """\
| Implementation | Cycles | Normalised |
|:-|-:|-:|
| ref | 18,200 | 2.80 |
| table | 9,100 | 1.40 |
| bitslice | 6,500 | 1.00 |
| masked | 21,450 | 2.1 |
| compact | 13,000 | 2.00 |
""",
    ),
    "sound: quantities in rows": (
        "csv",
        "",
        """\
Test,AES-128,AES-192,AES-256,ChaCha20
Time (ms),1.21,1.44,1.66,0.71
Power (mW),82.1,81.9,82.4,83.0
Memory (B),2312,2360,2408,1104
""",
    ),
    "sound: blocks, keys and rounds": (
        "md",
        "",
        """\
| Cipher | Block | Key | Rounds | Cycles/B | Code (B) | RAM (B) |
|-|-|-|-|-|-|-|
| AES | 128 | 128 | 10 | 135 | 1512 | 224 |
| PRESENT | 64 | 80 | 31 | 1320 | 1000 | 18 |
| SIMON | 64 | 96 | 42 | 240 | 364 | 24 |
| SPECK | 64 | 96 | 26 | 140 | 522 | 24 |
""",
    ),
    "sound: losses in percent": (
        "csv",
        "",
        """\
Teilnehmer;Latenz (ms);Verlust (%);Durchsatz (kbit/s)
1;12,4;0,0;250
5;18,9;0,4;241
10;31,0;1,2;228
20;75,3;4,9;190
""",
    ),
    "sound: a mean of all sizes": (
        "tex",
        "",
        r"""\begin{tabular}{lrr}\hline Size & Enc. (ms) & Dec. (ms)\\ \hline 1 KB & 0.52 & 0.61\\ 1 MB & 31.4 & 33.0\\ 100 MB & 3140 & 3310\\ \hline Average & 1057 & 1115\\ \hline\end{tabular}""",
    ),
    "sound: throughput over area": (
        "csv",
        "",
        """\
Algorithm,Throughput (Mbps),Area (LUT),Power (mW),Freq (MHz),Throughput/Area
AES,1280,2510,45,250,0.51
PRESENT,640,310,12,300,2.06
ASCON,980,1100,21,280,0.89
GIFT,510,340,11,310,1.50
""",
    ),
    "sound: a sum of unrounded numbers": (
        "html",
        "",
        """\
<table><tr><th>Device</th><th>Encrypt (ms)</th><th>Decrypt (ms)</th><th>Enc+Dec (ms)</th></tr><tr><td>A</td><td>1.24</td><td>1.33</td><td>2.58</td></tr><tr><td>B</td><td>4.06</td><td>4.41</td><td>8.46</td></tr><tr><td>C</td><td>0.61</td><td>0.65</td><td>1.26</td></tr></table>""",
    ),
    "sound: bounds of an interval": (
        "csv",
        "",
        """\
Cipher,Time (ms),CI 95 % low,CI 95 % high
AES,1.21,1.19,1.23
DES,3.02,2.95,3.09
RC4,0.62,0.58,0.66
""",
    ),
    "sound: other works with references": (
        "csv",
        "",
        """\
Work,Ref,Tech (nm),Area (kGE),Power (uW)
Ours,,65,2.4,3.1
Feldhofer,[5],350,3.4,8.15
Moradi,[9],180,2.4,3.7
Mathew,[13],22,1.9,"13,000"
""",
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_tables_by_hand(tmp_path: Path, name: str) -> None:
    ending, wrong, text = BY_HAND[name]
    path = tmp_path / f"table.{ending}"
    path.write_text(text, encoding="utf-8")
    entry = audit_file(path)
    if wrong:
        assert told(entry, wrong), alarms(entry)
    else:
        assert alarms(entry) == []


@pytest.mark.parametrize(
    ("text", "style", "plain"),
    [
        ("1.234,5", NumberStyle(), "1234.5"),
        ("1,234.5", NumberStyle(), "1234.5"),
        ("1 234,5", NumberStyle(), "1234.5"),
        ("1'234'567", NumberStyle(), "1234567"),
        ("1,234", NumberStyle(), "1,234"),
        ("1,234", NumberStyle(","), "1.234"),
        ("1,234", NumberStyle(".", ","), "1234"),
        ("0,123", NumberStyle(), "0.123"),
        ("1.234", NumberStyle(",", "."), "1234"),
        ("\u22123,5 ms", NumberStyle(), "-3.5 ms"),
        ("1.2×10⁻³", NumberStyle(), "1.2e-3"),
        ("12.5*", NumberStyle(), "12.5"),
        ("12.5^a", NumberStyle(), "12.5"),
        ("3DES", NumberStyle(), "3DES"),
        ("2.3×", NumberStyle(), "2.3 ×"),
        ("1,23,4", NumberStyle(), "1,23,4"),
    ],
)
def test_numbers_as_people_write_them(text: str, style: NumberStyle, plain: str) -> None:
    assert plain_number(text, style) == plain


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("Verschlüsselungszeit", "encryption time"),
        ("temps de chiffrement", "time de encryption"),
        ("Tiempo de descifrado", "time de decryption"),
        ("Desvio padrão", "sd"),
        ("加密时间", "encryption time"),
        ("Écart-type", "sd"),
        ("Dateigröße", "size"),
        ("Temperature", "temperature"),
    ],
)
def test_headers_in_languages_of_papers(header: str, words: str) -> None:
    assert english(header) == words


def test_a_mean_with_its_spread(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "Cipher,Time (ms)\nAES,1.20 ± 0.05\nDES,3.40(12)\nRC4,0.90 ± 0.02 ms\n", encoding="utf-8"
    )
    (table,) = read(path).tables
    assert [
        (cell.statistic, cell.number.value)
        for cell in table.cells
        if cell.label("algorithm") == "DES"
    ] == [
        (Statistic.MEAN, Fraction(34, 10)),
        (Statistic.SD, Fraction(12, 100)),
    ]
    assert {cell.unit for cell in table.cells} == {"ms"}


def test_printed_numbers_keep_their_digits_and_signs(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(
        as_xlsx(PaperTable("T", [["Cipher", "Time (ms)"]], [["AES", "1.20"], ["DES", "3.4"]]))
    )
    (table,) = read(path).tables
    assert [cell.number.text for cell in table.cells] == ["1.20", "3.4"]
    path = tmp_path / "t.tsv"
    path.write_text("Cipher\tZyklen\nAES\t1.234,5\nDES\t12.345,0\n", encoding="utf-8")
    (table,) = read(path).tables
    assert table.cells[0].number.text == "1.234,5"
    assert table.cells[0].number.value == Fraction(12345, 10)


def test_all_tables_of_a_file_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "t.md"
    path.write_text(
        "A\n\n|C|Time (ms)|\n|-|-|\n|AES|1.5|\n\nB\n\n|C|Energy (mJ)|\n|-|-|\n|AES|2.5|\n"
    )
    assert [(table.name, table.cells[0].metric) for table in read(path).tables] == [
        ("A", "time"),
        ("B", "energy"),
    ]


# Files of strangers


def workbook(sheet: bytes) -> bytes:
    """A workbook whose sheet is these bytes."""
    source = io.BytesIO(as_xlsx(PaperTable("T", [["Cipher", "Time (ms)"]], [["AES", "1.2"]])))
    out = io.BytesIO()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, sheet if name.endswith("sheet1.xml") else old.read(name))
    return out.getvalue()


ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'
)
HOSTILE: dict[str, tuple[str, bytes, str]] = {
    "a bomb": ("xlsx", workbook(b"<worksheet>" + b" " * 2**26 + b"</worksheet>"), "too large"),
    "entities": ("xlsx", workbook(ENTITIES), "document type"),
    "depth": ("xlsx", workbook(b"<a>" * 100_000), "nested too deeply"),
    "no XML": ("xlsx", workbook(b"\0\xff"), "not XML"),
    "no archive": ("xlsx", b"PK\3\4 and no more", "not a workbook"),
    "far away": ("xlsx", workbook(b'<worksheet><c r="XFD1"><v>1</v></c></worksheet>'), "too wide"),
    "far below": (
        "xlsx",
        workbook(b'<worksheet><c r="A1048576"><v>1</v></c></worksheet>'),
        "too long",
    ),
    "spans": ("html", b"<table>" + b"<tr><td rowspan=500 colspan=199>1</td></tr>" * 5000, "too"),
    "tables in tables": ("html", b"<table><tr><td>" * 1000, "too many tables"),
    "wide": ("csv", b"a" + b",1" * 5000 + b"\n", "too wide"),
    "zero": ("tex", b"\\begin{tabular}{l}\0", "zero byte"),
    "Latin": ("md", b"|a|\xff|", "not UTF-8"),
    "nothing": ("tex", b"\\begin{document}", "no table"),
    "Word": ("docx", b"PK", "not read from .docx"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_files_of_strangers_have_limits(tmp_path: Path, name: str) -> None:
    ending, content, words = HOSTILE[name]
    path = tmp_path / f"t.{ending}"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read(path)


@pytest.mark.parametrize(
    "text",
    [
        "\\begin{tabular}" + "{" * 5000 + "a&b\\\\1&2\\end{tabular}",
        "|a|b|\n|-|-|\n" + "|" * 5000,
        "\\multirow{9" * 2000,
        "\\begin{tabular}{l}" + "\\multicolumn{999}{c}{1}&" * 3000 + "\\end{tabular}",
        "<table>" + "<sup>" * 9999,
    ],
)
@pytest.mark.parametrize("ending", ["tex", "md", "html", "csv"])
def test_strange_texts_are_read_or_refused(tmp_path: Path, ending: str, text: str) -> None:
    path = tmp_path / f"t.{ending}"
    path.write_text(text, encoding="utf-8")
    try:
        assert audit_file(path).tables
    except InputError as error:
        assert str(error)


PDFPLUMBER = """
class Page:
    page_number = 3
    def extract_tables(self, settings=None):
        return [[["Cipher", "Time (ms)"], ["AES", "1.20"], ["DES", None]]]
class open:
    def __init__(self, stream):
        if stream.read() == b"endless":
            while True:
                pass
    def __enter__(self):
        self.pages = [Page()]
        return self
    def __exit__(self, *_):
        pass
"""


@pytest.fixture
def pdfplumber(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library that finds one table in each PDF, or never ends."""
    (tmp_path / "pdfplumber.py").write_text(PDFPLUMBER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(__file__).parents[3]}")
    return tmp_path / "t.pdf"


def test_tables_of_a_pdf_are_read_in_a_process_of_their_own(pdfplumber: Path) -> None:
    pdfplumber.write_bytes(b"%PDF-1.7")
    (table,) = read(pdfplumber).tables
    assert [cell.number.text for cell in table.cells] == ["1.20"]


def test_a_pdf_that_never_ends_is_given_up(
    pdfplumber: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "_PDF_SECONDS", 2)
    pdfplumber.write_bytes(b"endless")
    with pytest.raises(InputError, match="more than 2 s"):
        grids(pdfplumber)


def test_a_pdf_without_the_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pdfplumber", None)
    path = tmp_path / "t.pdf"
    path.write_bytes(b"%PDF-1.7")
    with pytest.raises(InputError, match=r"whl\[pdf\]"):
        grids(path)


BOARDS = """**Time in µs on three boards**

| Cipher | nRF52 | STM32 | SAMD21 |
| --- | --- | --- | --- |
| AES | 31.8 | 28.5 | 71.2 |
| DES | 64.4 | 64.1 | 160.2 |
| 3DES | 196.8 | 198.5 | 496.2 |
| Blowfish | 45.8 | 40.5 | 101.4 |
| PRESENT | 271.1 | 251.3 | 628.3 |
"""


@pytest.mark.parametrize(("wrong", "count"), [("101.4", 0), ("0.1014", 1)])
def test_the_title_says_what_stands_below_names_that_nobody_knows(
    tmp_path: Path, wrong: str, count: int
) -> None:
    path = tmp_path / "t.md"
    path.write_text(BOARDS.replace("101.4", wrong), encoding="utf-8")
    entry = audit_file(path)
    assert "nRF52: time of label nRF52 in µs" in entry.tables[0].guessed
    assert [finding.check for finding in entry.findings] == ["digit-slip"] * count


def test_a_unit_inside_a_title_is_that_of_the_numbers_and_a_size_is_none(tmp_path: Path) -> None:
    path = tmp_path / "t.md"
    path.write_text(
        BOARDS.replace("in µs on three boards", "in seconds, for 1 MB"), encoding="utf-8"
    )
    assert "STM32: time of label STM32 in seconds" in audit_file(path).tables[0].guessed


def test_parts_of_a_sum_follow_no_common_pattern(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [
        ("AES", 34.1, 36.9, 60.2),
        ("DES", 67.2, 63.0, 69.1),
        ("3DES", 5.5, 69.5, 62.5),
        ("Blowfish", 55.0, 65.4, 70.1),
        ("PRESENT", 29.5, 40.8, 21.3),
        ("SPECK", 30.0, 37.5, 70.9),
        ("ChaCha20", 84.3, 53.2, 37.1),
    ]
    body = "\n".join(f"{name},{a},{b},{c},{a + b + c:.1f}" for name, a, b, c in rows)
    path.write_text(f"Scheme,Crypto (mJ),Radio (mJ),Sleep (mJ),Sum (mJ)\n{body}\n")
    assert audit_file(path).findings == ()


@pytest.mark.parametrize(("spread", "count"), [("2.23", 0), ("4.98", 1)])
def test_a_variance_among_spreads_that_agree_closely(
    tmp_path: Path, spread: str, count: int
) -> None:
    path = tmp_path / "t.csv"
    means = {
        "AES": 10.77,
        "DES": 23.75,
        "3DES": 76.19,
        "Blowfish": 17.5,
        "PRESENT": 111.55,
        "SPECK": 6.18,
    }
    rows = [f"{name},{mean} ± {mean / 50:.2f}" for name, mean in means.items()]
    path.write_text(
        "\n".join(["Cipher,Time (ms)", *rows]).replace("111.55 ± 2.23", f"111.55 ± {spread}")
    )
    entries = [finding for finding in audit_file(path).findings if finding.check == "sd-variance"]
    assert len(entries) == count


LIFE = "Cipher,Average current (mA),Battery (mAh),Lifetime (h)\n" + "".join(
    f"{name},{current},1200,{1200 / current:.1f}\n"
    for name, current in (
        ("AES", 9.1),
        ("DES", 13.79),
        ("3DES", 15.09),
        ("Blowfish", 7.2),
        ("SPECK", 5.31),
    )
)


def test_the_life_of_a_battery_is_no_time_of_a_cipher(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(LIFE)
    assert audit_file(path).findings == ()
    path.write_text(LIFE.replace("87.0", "187.0"))
    assert "187.0" in str([finding.cells for finding in audit_file(path).findings])


@pytest.mark.parametrize(("rate", "count"), [("135", 0), ("175", 1)])
def test_operations_in_a_second_are_the_inverse_of_a_time(
    tmp_path: Path, rate: str, count: int
) -> None:
    path = tmp_path / "t.csv"
    times = {
        "AES": 2.013,
        "DES": 4.211,
        "3DES": 12.402,
        "Blowfish": 2.811,
        "PRESENT": 17.905,
        "SPECK": 1.117,
        "RC4": 7.411,
    }
    rows = [f"{name},{time},{1000 / time:.0f}" for name, time in times.items()]
    body = "\n".join(["Cipher,Time per operation (ms),Operations/s", *rows])
    path.write_text(body.replace(",135", f",{rate}"))
    entry = audit_file(path)
    assert any(guess.endswith("in 1/s") for guess in entry.tables[0].guessed)
    assert sum(rate in str(finding.cells) for finding in entry.findings) == count
    assert bool(entry.findings) is bool(count)


def test_sizes_with_a_unit_of_time_in_the_header_are_sizes(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "Cipher,64 B (µs),256 B (µs),1 KB (µs)\nAES,10.99,44.53,174.36\nDES,23.62,92.42,371.04\n"
        "Blowfish,15.51,62.65,244.22\nPRESENT,15.51,62.65,244.22\n",
        encoding="utf-8",
    )
    assert [finding.check for finding in audit_file(path).findings] == ["repeated-row"]


def test_spreads_that_scatter_are_not_variances_by_chance(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = (
        (31.52, 0.76),
        (58.36, 3.64),
        (197.96, 2.76),
        (43.66, 1.9),
        (291.45, 20.61),
        (16.55, 0.21),
        (17.29, 1.34),
    )
    path.write_text(
        "Cipher,Mean (ms),SD (ms)\n"
        + "".join(f"c{at},{m},{sd:.2f}\n" for at, (m, sd) in enumerate(rows))
    )
    assert audit_file(path).findings == ()


@pytest.mark.parametrize(("wrong", "count"), [("20.9", 0), ("29.0", 1)])
def test_the_row_that_is_the_whole_counts_for_its_formula(
    tmp_path: Path, wrong: str, count: int
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "Scheme,Sign (ms),Relative "
        f"(%)\nRSA,95.1,100\nECDSA,23.7,24.9\nEd25519,19.9,{wrong}\nML-DSA,32.0,33.6\n"
    )
    assert sum(wrong in str(finding.cells) for finding in audit_file(path).findings) == count


@pytest.mark.parametrize(("wrong", "count"), [("138.6", 0), ("1386", 1)])
def test_energy_is_one_voltage_times_charge(tmp_path: Path, wrong: str, count: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "Algorithm,I (mA),t (ms),Q (µC),E "
        "(µJ)\nAES-CCM,6.1,4.20,25.6,76.9\nAscon,5.8,6.31,36.6,109.8\n"
        f"ChaCha20-Poly1305,6.0,3.12,18.7,56.2\nAES-GCM,6.2,7.45,46.2,{wrong}\n",
        encoding="utf-8",
    )
    entries = [finding for finding in audit_file(path).findings if wrong in str(finding.cells)]
    assert len(entries) == count
    assert all("supply voltage x charge" in finding.what for finding in entries)


@pytest.mark.parametrize(("wrong", "count"), [("12.76", 0), ("10.5", 1)])
def test_throughput_and_cycles_per_byte_have_one_clock(
    tmp_path: Path, wrong: str, count: int
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "Cipher,Throughput (kB/s),Cycles per "
        "byte\nAES,142.9,112\nDES,21.31,751\nSpeck,320.0,50\nRC4,533.3,30\n"
        f"Present,{wrong},1254\n"
    )
    entries = [finding for finding in audit_file(path).findings if finding.check == "product"]
    assert len(entries) == count
    assert all(
        "1.6e+07 Hz / 1254 cycle/B = 12.762 kB/s" in finding.cells[0].computed
        for finding in entries
    )


@pytest.mark.parametrize(("device", "count"), [("Uno", 1), ("Zero", 0)])
def test_another_device_may_have_another_clock(tmp_path: Path, device: str, count: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "Device,Cipher,Cycles,Time "
        "(ms)\nUno,AES,32000,2.000\nUno,DES,71200,4.450\nUno,Speck,18400,1.150\n"
        f"Uno,RC4,24800,1.550\n{device},AES-192,38900,0.810\n"
    )
    assert sum(finding.check == "product" for finding in audit_file(path).findings) == count
