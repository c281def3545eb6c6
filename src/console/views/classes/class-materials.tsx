import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange, useRead, useRecord, type Versioned } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { DropZone } from "../../ui/drop-zone.tsx"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { CLASSES } from "./affected-queries.ts"
import { useOnePlace } from "./any-registration.ts"
import type { ClassPart } from "./class-tab.ts"

type Material = Schemas["Class"]["studyMaterial"]

interface File {
  id: number
  name: string
  type: string
  mayDownload: boolean
}

/** The files as links, each with what can be done with it. */
const Files = ({ files, onRemove }: { files: readonly File[]; onRemove?: (file: File) => void }) =>
  files.length === 0 ? (
    <p class="empty">{t("classes:material.none")}</p>
  ) : (
    <ul class="ordered">
      {files.map((file) => {
        const at = `/api/class/study-material/${file.id}`
        return (
          <li key={file.id}>
            <span class="what">
              <a href={`${at}/view`} target="_blank" rel="noreferrer">
                {file.name}
              </a>{" "}
              <span class="badge">{file.type}</span>
            </span>
            {file.mayDownload && (
              <a
                class="button"
                href={`${at}/download`}
                download
                aria-label={t("classes:download.one", { name: file.name })}
              >
                {t("download")}
              </a>
            )}
            {onRemove && (
              <button
                type="button"
                aria-label={t("classes:remove.one", { name: file.name })}
                onClick={() => onRemove(file)}
              >
                {t("classes:remove")}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )

type Read = Versioned<{ classDetails: Schemas["Class"] }>

/** The class's files, with their upload and removal. */
function Kept({ id, read, reread }: { id: number; read: Read; reread: () => Promise<unknown> }) {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [removes, setRemoves] = useState<File>()
  const material = read.record.classDetails.studyMaterial
  const change = useChange({
    call: (studyMaterial: Material) =>
      api.POST("/api/class/update", { body: { id, studyMaterial }, headers: { "If-Match": read.version } }),
    changes: CLASSES,
  })
  const put = async (next: Material) => {
    await change.mutateAsync(next)
    await reread()
  }
  const upload = async (file: globalThis.File) => {
    setError(undefined)
    setBusy(true)
    try {
      const { data } = await api.POST("/api/class/study-material/upload", { body: { file, name: file.name } })
      await put([...material, { media_id: data.media_id, name: data.name, type: data.type }])
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Problem error={error} />
      <Files
        files={material.map(({ media_id, name, type }) => ({ id: media_id, name, type, mayDownload: true }))}
        onRemove={setRemoves}
      />
      <div aria-busy={busy}>
        <DropZone
          label={t("classes:material.add")}
          hint={t("classes:material.hint")}
          accept=""
          onFile={(file) => {
            if (!busy) upload(file)
          }}
        />
        {busy && <p role="status">{t("working")}</p>}
      </div>
      {removes && (
        <Confirm
          title={t("classes:material.remove")}
          confirm={t("classes:remove")}
          onClose={() => setRemoves(undefined)}
          onConfirm={() => put(material.filter(({ media_id }) => media_id !== removes.id))}
        >
          <p>{t("classes:material.remove.text", { name: removes.name })}</p>
        </Confirm>
      )}
    </>
  )
}

function StaffMaterial({ id }: { id: number }) {
  const found = useRecord("/api/class/edit", { params: { query: { classId: id } } })
  return <Loaded of={found}>{(read) => <Kept id={id} read={read} reread={found.refetch} />}</Loaded>
}

/** The files as those see them who look after somebody in the class: by that person's place. */
function ReadMaterial({ registrationId }: { registrationId: number }) {
  const read = useRead("/api/class/study-material", { params: { query: { registrationId } } })
  return (
    <Loaded of={read}>
      {({ classMaterial }) => (
        <Files
          files={classMaterial.map(({ id, file_name, file_type, status }) => ({
            id,
            name: file_name,
            type: file_type,
            mayDownload: status === "download",
          }))}
        />
      )}
    </Loaded>
  )
}

function SupervisedMaterial({ id }: { id: number }) {
  const place = useOnePlace(id)
  return (
    <Loaded of={place}>
      {(registrationId) =>
        registrationId === null ? (
          <p class="empty">{t("classes:no-attendees")}</p>
        ) : (
          <ReadMaterial registrationId={registrationId} />
        )
      }
    </Loaded>
  )
}

/** What is given out in the class. */
export function ClassMaterial({ id }: ClassPart) {
  const me = useMe()
  return may(me, "staff") ? <StaffMaterial id={id} /> : <SupervisedMaterial id={id} />
}
