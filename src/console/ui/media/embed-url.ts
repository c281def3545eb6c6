/** The players that the content security policy allows (src/pages/page.tsx). */
const YOUTUBE = "https://www.youtube-nocookie.com/embed/"
const VIMEO = "https://player.vimeo.com/video/"

/** The address of the player of a YouTube or Vimeo video; undefined for any other address. */
export function toEmbedUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const host = url.hostname.replace(/^(www|m)\./, "")
  const [first = "", second = "", third = ""] = url.pathname.split("/").filter(Boolean)
  if (["youtube.com", "youtube-nocookie.com", "youtu.be"].includes(host)) {
    const id =
      host === "youtu.be"
        ? first
        : first === "watch"
          ? (url.searchParams.get("v") ?? "")
          : /^(embed|shorts|live)$/.test(first)
            ? second
            : ""
    return /^[\w-]{6,20}$/.test(id) ? `${YOUTUBE}${id}` : undefined
  }
  if (host !== "vimeo.com" && host !== "player.vimeo.com") return undefined
  const [id, key] = first === "video" ? [second, url.searchParams.get("h") ?? third] : [first, second]
  if (!/^\d{4,12}$/.test(id)) return undefined
  // The key of an unlisted video.
  return /^[\da-f]{6,20}$/.test(key) ? `${VIMEO}${id}?h=${key}` : `${VIMEO}${id}`
}
