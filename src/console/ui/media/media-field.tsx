import { t } from "../../messages/messages.ts"
import { FieldErrors } from "../form.tsx"
import { useStoredState } from "../stored-state.ts"
import { chooseFile } from "./choose-media.ts"
import type { MediaKind } from "./media-kind.ts"

interface MediaFieldProps {
  name: string
  label: string
  kinds: readonly MediaKind[]
  media: { id: number; name: string } | null | undefined
}

/** A field for one file of the media library. It submits the id, or nothing. */
export function MediaField({ name, label, kinds, media: initial }: MediaFieldProps) {
  const [media, setMedia] = useStoredState(initial ?? null, (file) => file?.id)
  const choose = async () => {
    const chosen = await chooseFile(kinds)
    if (chosen) setMedia(chosen)
  }
  return (
    <fieldset class="field media-field">
      <legend>{label}</legend>
      <input type="hidden" name={name} value={media?.id ?? ""} />
      {media && (
        <p>
          <a href={`/console/media/${media.id}`} dir="auto">
            {media.name}
          </a>
        </p>
      )}
      <div class="actions">
        <button type="button" onClick={choose}>
          {t(media ? "media.change" : "media.choose")}
        </button>
        {media && (
          <button type="button" onClick={() => setMedia(null)}>
            {t("media.remove")}
          </button>
        )}
      </div>
      <FieldErrors name={name} label={label} id={`${name}-error`} />
    </fieldset>
  )
}
