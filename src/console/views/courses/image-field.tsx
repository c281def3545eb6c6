import { useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { CourseImage } from "../../ui/course-image.tsx"
import { TextField } from "../../ui/form.tsx"

/** An image URL with a preview. */
export function ImageField({ value }: { value: string }) {
  const [url, setUrl] = useState(value)
  return (
    <>
      <TextField
        name="featuredImageUrl"
        label={t("courses:course.image")}
        hint={t("courses:course.image.hint")}
        maxLength={2000}
        dir="ltr"
        defaultValue={value}
        // Not on input: each keystroke would load another URL.
        onChange={(event) => setUrl(event.currentTarget.value.trim())}
      />
      <CourseImage url={url} />
    </>
  )
}
