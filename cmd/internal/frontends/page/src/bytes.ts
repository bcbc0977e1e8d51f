// Bytes as text.

/** Returns bytes in standard base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}

/** Returns bytes in base64url without padding, RFC 4648, section 5. */
export function toBase64URL(bytes: Uint8Array): string {
  return toBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/={1,2}$/, "");
}

/** Returns the bytes of a text in base64url without padding, or undefined if it is none. */
export function fromBase64URL(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return undefined;
  return fromBase64(text.replace(/-/g, "+").replace(/_/g, "/"));
}

/** Returns the bytes of a text in standard base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
