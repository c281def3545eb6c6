import { useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { Picture } from "../../ui/course-image.tsx"
import { TextField } from "../../ui/form.tsx"

/** The URL of a picture, shown below it as learners see it. */
export function PictureField({ value }: { value: string }) {
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
        // Once it is written: each letter would load another address.
        onChange={(event) => setUrl(event.currentTarget.value.trim())}
      />
      <Picture url={url} />
    </>
  )
}
