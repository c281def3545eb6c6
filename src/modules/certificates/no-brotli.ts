/** Stands in for what fontkit unpacks WOFF2 fonts with (wrangler.toml): certificates are drawn with TrueType ones. */
export default function decompress(): never {
  throw new Error("Fonts of certificates are TrueType.")
}
