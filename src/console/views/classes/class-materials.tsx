import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord, useRead, type Versioned } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { DropZone } from "../../ui/drop-zone.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { CLASS_QUERIES } from "./affected-queries.ts"
import { useAnyRegistrationId } from "./any-registration.ts"
import type { ClassTabProps } from "./class-tab.ts"

type Material = Schemas["Class"]["studyMaterial"]

interface MaterialFile {
  id: number
  name: string
  type: string
  canDownload: boolean
}

const Files = ({ files, onRemove }: { files: readonly MaterialFile[]; onRemove?: (file: MaterialFile) => void }) =>
  files.length === 0 ? (
    <p class="empty">{t("classes:material.none")}</p>
  ) : (
    <ul class="ordered">
      {files.map((file) => {
        const baseUrl = `/api/class/study-material/${file.id}`
        return (
          <li key={file.id}>
            <span class="what">
              <a href={`${baseUrl}/view`} target="_blank" rel="noreferrer">
                {file.name}
              </a>{" "}
              <Badge>{file.type}</Badge>
            </span>
            {file.canDownload && (
              <a
                class="button"
                href={`${baseUrl}/download`}
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

type VersionedClass = Versioned<{ classDetails: Schemas["Class"] }>

/** Uploads and removes files. */
function MaterialEditor({
  id,
  loaded,
  refetch,
}: {
  id: number
  loaded: VersionedClass
  refetch: () => Promise<unknown>
}) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const [toRemove, setToRemove] = useState<MaterialFile>()
  const material = loaded.record.classDetails.studyMaterial
  const change = useChange({
    call: (studyMaterial: Material) =>
      api.POST("/api/class/update", { body: { id, studyMaterial }, headers: { "If-Match": loaded.version } }),
    invalidates: CLASS_QUERIES,
  })
  const save = async (next: Material) => {
    await refetchOnConflict(() => change.mutateAsync(next), refetch)
    await refetch()
  }
  const upload = async (file: File) => {
    setError(undefined)
    setIsBusy(true)
    try {
      const { data } = await api.POST("/api/class/study-material/upload", { body: { file, name: file.name } })
      await save([...material, { media_id: data.media_id, name: data.name, type: data.type }])
    } catch (failure) {
      setError(failure)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <ErrorMessage error={error} />
      <Files
        files={material.map(({ media_id, name, type }) => ({ id: media_id, name, type, canDownload: true }))}
        onRemove={setToRemove}
      />
      <div aria-busy={isBusy}>
        <DropZone
          label={t("classes:material.add")}
          hint={t("classes:material.hint")}
          accept=""
          onFile={(file) => {
            if (!isBusy) upload(file)
          }}
        />
        {isBusy && <p role="status">{t("working")}</p>}
      </div>
      {toRemove && (
        <ConfirmDialog
          title={t("classes:material.remove")}
          confirm={t("classes:remove")}
          onClose={() => setToRemove(undefined)}
          onConfirm={() => save(material.filter(({ media_id }) => media_id !== toRemove.id))}
        >
          <p>{t("classes:material.remove.text", { name: toRemove.name })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function StaffMaterial({ id }: { id: number }) {
  const editable = useEditableRecord("/api/class/edit", { params: { query: { classId: id } } })
  return (
    <Loaded query={editable}>
      {(loaded) => <MaterialEditor id={id} loaded={loaded} refetch={editable.refetch} />}
    </Loaded>
  )
}

/** The files for supervisors, loaded through the registration of a learner that they supervise. */
function MaterialOfRegistration({ registrationId }: { registrationId: number }) {
  const material = useRead("/api/class/study-material", { params: { query: { registrationId } } })
  return (
    <Loaded query={material}>
      {({ classMaterial }) => (
        <Files
          files={classMaterial.map(({ id, file_name, file_type, status }) => ({
            id,
            name: file_name,
            type: file_type,
            canDownload: status === "download",
          }))}
        />
      )}
    </Loaded>
  )
}

function SupervisedMaterial({ id }: { id: number }) {
  const registration = useAnyRegistrationId(id)
  return (
    <Loaded query={registration}>
      {(registrationId) =>
        registrationId === null ? (
          <p class="empty">{t("classes:no-attendees")}</p>
        ) : (
          <MaterialOfRegistration registrationId={registrationId} />
        )
      }
    </Loaded>
  )
}

export function ClassMaterials({ id }: ClassTabProps) {
  const me = useMe()
  return hasAccess(me, "staff") ? <StaffMaterial id={id} /> : <SupervisedMaterial id={id} />
}
