import { ImagePlus } from "lucide-preact"
import { useRef, useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { CourseImage } from "../course-image.tsx"
import { Field } from "../form.tsx"
import { chooseFile } from "./choose-media.ts"

interface ImageFieldProps {
  name: string
  label: string
  hint: string
  value: string | null
  /** Shows the image as that of a course. */
  isCourse?: boolean
}

/** Opens the media library. */
export const ChooseImage = ({ onChoose }: { onChoose: (url: string) => void }) => {
  const choose = async () => {
    const image = await chooseFile(["image"])
    if (image) onChoose(image.url)
  }
  return (
    <button type="button" onClick={choose}>
      <ImagePlus size={16} aria-hidden /> {t("media.choose-image")}
    </button>
  )
}

/** A field for an image of the media library or of another site. It submits the URL. */
export function ImageField({ name, label, hint, value, isCourse = false }: ImageFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [url, setUrl] = useState(value ?? "")
  const change = (next: string) => {
    if (!input.current) return
    input.current.value = next
    input.current.dispatchEvent(new Event("input", { bubbles: true }))
    setUrl(next)
  }
  return (
    <>
      <Field name={name} label={label} hint={hint}>
        {(attributes) => (
          <input
            ref={input}
            type="text"
            dir="ltr"
            maxLength={2000}
            defaultValue={value ?? ""}
            // Not on input: each keystroke would load another URL.
            onChange={(event) => setUrl(event.currentTarget.value.trim())}
            {...attributes}
          />
        )}
      </Field>
      <div class="actions">
        <ChooseImage onChoose={change} />
        {url && (
          <button type="button" onClick={() => change("")}>
            {t("media.remove-image")}
          </button>
        )}
      </div>
      {isCourse && <CourseImage url={url} />}
    </>
  )
}
