/** One pass of FNV-1a with 32 bits over a text's UTF-16 units. */
function fnv1a(text: string, basis: number): number {
  let state = basis
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 16_777_619)
  // What the last characters changed reaches every bit (the finish of MurmurHash3).
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

/**
 * A short fingerprint of a text that is no secret, as ETags use it: 64 bits and the text's length. Whoever wants two
 * texts of one fingerprint can make them, so it stands for nothing that must be trusted.
 */
export const fingerprint = (text: string): string =>
  [fnv1a(text, 0x811c9dc5), fnv1a(text, 0x9747b28c), text.length].map((part) => part.toString(36)).join("")
