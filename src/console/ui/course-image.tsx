import { useState } from "preact/hooks"
import { isOwn, loadable } from "./safe-url.ts"

/** Pictures of courses come from this site, or encrypted from another one. */
const shownUrl = (url: string) => (isOwn(url) || /^https:/i.test(url) ? loadable(url) : undefined)

/** The picture of a course or a learning path, beside its name; nothing where there is none or it does not load. */
export function Picture({ url }: { url: string | null | undefined }) {
  const [failed, setFailed] = useState<string>()
  const src = url && url !== failed ? shownUrl(url) : undefined
  if (!url || !src) return null
  return (
    <img
      class="course-picture"
      src={src}
      alt=""
      width="640"
      height="360"
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setFailed(url)}
    />
  )
}
