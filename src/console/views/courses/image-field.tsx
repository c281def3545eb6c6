import { useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { CourseImage } from "../../ui/course-image.tsx"
import { TextField } from "../../ui/form.tsx"
import { chooseFile } from "../../ui/media/choose-media.ts"

/** An image of the media library or of another site, with a preview. */
export function ImageField({ value }: { value: string }) {
  const [url, setUrl] = useState(value)
  const choose = async () => {
    const image = await chooseFile(["image"])
    if (image) setUrl(image.url)
  }
  return (
    <>
      <TextField
        name="featuredImageUrl"
        label={t("courses:course.image")}
        hint={t("courses:course.image.hint")}
        maxLength={2000}
        dir="ltr"
        value={url}
        // Not on input: each keystroke would load another URL.
        onChange={(event) => setUrl(event.currentTarget.value.trim())}
      />
      <div class="actions">
        <button type="button" onClick={choose}>
          {t("media.choose")}
        </button>
      </div>
      <CourseImage url={url} />
    </>
  )
}
