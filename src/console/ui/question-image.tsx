import { useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { toImageUrl } from "./course-image.tsx"

/** The image of a question; its description if it fails to load. */
export function QuestionImage({ url, alt }: { url: string; alt: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  const src = url ? toImageUrl(url) : undefined
  if (!url) return null
  if (!src || hasFailed) return <p class="quiet">{alt || t("image.failed")}</p>
  return (
    <img
      class="question-image"
      src={src}
      alt={alt}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setHasFailed(true)}
    />
  )
}
