/** A client of the quote service, for DiPerF. */
package com.example.quotes;
