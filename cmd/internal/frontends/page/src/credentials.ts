// User names and passwords in URLs. The page takes them nowhere and does not show them.

/** A user name and password before the host, as browsers read them. */
const userinfo = /^(\s*(?:(?:https?|ftp):[/\\]*|[a-z][a-z0-9+.-]*:[/\\]+|[/\\]{2,})?)([^/?#\\\s]+)@/i;

/** Reports whether a typed URL has a user name or password, which the page takes nowhere. */
export function hasCredentials(typed: string): boolean {
  return masked(typed) !== typed || userinfo.test(typed);
}

/** Returns a typed URL with *** in place of a user name and password. */
export function masked(typed: string): string {
  if (userinfo.test(typed)) {
    return typed.replace(userinfo, "$1***@");
  }
  // A password with a slash, a question mark or a number sign that is not encoded.
  const at = typed.lastIndexOf("@");
  return at > 0 && !typed.trim().startsWith("/") && !URL.canParse(/^\s*[a-z][a-z0-9+.-]*:[/\\]/i.test(typed) ? typed : `https://${typed}`) ? typed.replace(/^(\s*(?:(?:https?|ftp):[/\\]*)?).*@/i, "$1***@") : typed;
}
