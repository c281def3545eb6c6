import { FileText, Images, Music, Video } from "lucide-preact"
import { useEffect, useId, useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { useListPage } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { SEARCH_DELAY_MS } from "../choice.ts"
import { Dialog } from "../dialog.tsx"
import { openDialog } from "../dialog-host.tsx"
import { EmptyState } from "../empty-state.tsx"
import { Loaded } from "../error-message.tsx"
import type { MediaKind } from "./media-kind.ts"
import { formatBytes } from "./upload-row.tsx"
import { Uploads } from "./uploads.tsx"

export type MediaRow = RecordOf<"/api/media">

const ICONS = { video: Video, audio: Music, pdf: FileText }
const PAGE_SIZE = 12

/** The picture of a file: itself, or the icon of its kind. */
export function Thumbnail({ media }: { media: Pick<MediaRow, "kind" | "url"> }) {
  if (media.kind === "image") return <img class="thumbnail" src={media.url} alt="" loading="lazy" decoding="async" />
  const Icon = ICONS[media.kind]
  return (
    <span class="thumbnail">
      <Icon aria-hidden="true" />
    </span>
  )
}

interface MediaListProps {
  kind: MediaKind
  onChoose: (media: MediaRow) => void
}

function MediaList({ kind, onChoose }: MediaListProps) {
  const id = useId()
  const [text, setText] = useState("")
  const [name, setName] = useState("")
  const [page, setPage] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => {
      setName(text.trim())
      setPage(undefined)
    }, SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  const list = useListPage("/api/media", {
    query: { search_param: { kind, ...(name && { name }) } },
    page,
    size: PAGE_SIZE,
  })
  return (
    <>
      <p class="field">
        <label for={id}>{t("media:search")}</label>
        <input id={id} type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </p>
      <Loaded query={list}>
        {({ records, next, previous }) => (
          <>
            {records.length === 0 && <EmptyState icon={Images} text={t(name ? "list.no-results" : "media:empty")} />}
            <ul class="media-grid">
              {records.map((media) => (
                <li key={media.id}>
                  <button type="button" onClick={() => onChoose(media)}>
                    <Thumbnail media={media} />
                    <span class="media-name" dir="auto">
                      {media.name}
                    </span>
                    <span class="quiet">{formatBytes(media.bytes)}</span>
                  </button>
                </li>
              ))}
            </ul>
            {(previous || next) && (
              <div class="actions">
                <button type="button" disabled={!previous} onClick={() => setPage(previous)}>
                  {t("media:previous")}
                </button>
                <button type="button" disabled={!next} onClick={() => setPage(next)}>
                  {t("media:next")}
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

interface MediaDialogProps {
  kinds: readonly MediaKind[]
  onChoose: (media: MediaRow) => void
  onClose: () => void
}

/** Chooses a file of the media library, or uploads one. */
function MediaDialog({ kinds, onChoose, onClose }: MediaDialogProps) {
  const [kind, setKind] = useState<MediaKind>(kinds[0] ?? "image")
  return (
    <Dialog title={t("media:choose")} onClose={onClose}>
      <Uploads kinds={kinds} />
      {kinds.length > 1 && (
        <fieldset class="actions media-field" aria-label={t("media:kind")}>
          {kinds.map((one) => (
            <button key={one} type="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
              {t(`media:kind.${one}`)}
            </button>
          ))}
        </fieldset>
      )}
      <MediaList key={kind} kind={kind} onChoose={onChoose} />
    </Dialog>
  )
}

/** Opens the media library in a dialog. @returns the chosen file; undefined if the dialog was closed */
export const chooseMedia = (kinds: readonly MediaKind[]): Promise<MediaRow | undefined> =>
  openDialog((close) => <MediaDialog kinds={kinds} onChoose={close} onClose={() => close()} />)
