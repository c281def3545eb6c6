/** 32-bit FNV-1a over the UTF-16 units of a text. */
function fnv1a(text: string, basis: number): number {
  let state = basis
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 16_777_619)
  // Spreads the last characters over all bits (MurmurHash3's finalizer).
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

/**
 * A short fingerprint for ETags: 64 bits and the text's length. Collisions can be constructed, so it proves nothing.
 */
export const fingerprint = (text: string): string =>
  [fnv1a(text, 0x811c9dc5), fnv1a(text, 0x9747b28c), text.length].map((part) => part.toString(36)).join("")
