import { useState } from "preact/hooks"
import { isSameOrigin, safeUrl } from "./safe-url.ts"

/** Course images come from this site, or over HTTPS from another one. */
export const toImageUrl = (url: string) => (isSameOrigin(url) || /^https:/i.test(url) ? safeUrl(url) : undefined)

/** The image of a course or learning path; nothing if there is none or it fails to load. */
export function CourseImage({ url }: { url: string | null | undefined }) {
  const [failedUrl, setFailedUrl] = useState<string>()
  const src = url && url !== failedUrl ? toImageUrl(url) : undefined
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
      onError={() => setFailedUrl(url)}
    />
  )
}
