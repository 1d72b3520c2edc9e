/* For folders of code from PQClean that leave this header out: what it defines is for other processors. */
