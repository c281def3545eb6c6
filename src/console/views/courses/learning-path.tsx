import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange, useRecord, type Versioned } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Picture } from "../../ui/course-image.tsx"
import { Confirm } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { useGo } from "../../ui/url-state.ts"
import { unlessChanged } from "./conflict.ts"
import { EnrollDialog } from "./enroll-dialog.tsx"
import { wordOf } from "./labels.ts"
import { type PathBody, PathForm } from "./learning-path-form.tsx"

interface EditableProps extends Versioned<Schemas["LearningPath"]> {
  /** Reads it anew. */
  reread: () => Promise<unknown>
}

/** A learning path to be changed, and those who are to take it. */
function Editable({ record: path, version, reread }: EditableProps) {
  const go = useGo()
  const [open, setOpen] = useState<"enroll" | "delete">()
  const params = { path: { id: path.id } }
  const change = useChange({
    call: (body: PathBody) => api.PUT("/api/learningpath/{id}", { params, body, headers: { "If-Match": version } }),
    changes: ["/api/learningpath"],
  })
  const remove = useChange({
    call: () => api.POST("/api/learningpath/delete", { body: { delete_ids: [path.id] } }),
    changes: ["/api/learningpath/tabularlist"],
  })
  const enroll = useChange({
    call: (user_ids: number[]) =>
      api.POST("/api/learningpath/enroll", { body: { learning_path_ids: [path.id], user_ids } }),
    changes: ["/api/course"],
  })
  const close = () => setOpen(undefined)
  return (
    <>
      <p>
        <button type="button" onClick={() => setOpen("enroll")}>
          {t("courses:enroll")}
        </button>
      </p>
      <PathForm
        path={path}
        submit={t("save")}
        onSubmit={(body) => unlessChanged(() => change.mutateAsync(body), reread)}
        more={
          <button type="button" class="danger" onClick={() => setOpen("delete")}>
            {t("delete")}
          </button>
        }
      />
      {open === "enroll" && (
        <EnrollDialog
          title={t("courses:enroll.into", { name: path.name })}
          onEnroll={enroll.mutateAsync}
          onClose={close}
        />
      )}
      {open === "delete" && (
        <Confirm
          title={t("courses:path.delete")}
          confirm={t("delete")}
          onClose={close}
          onConfirm={async () => {
            await remove.mutateAsync(undefined)
            go("/learning-paths")
          }}
        >
          <p>{t("courses:path.delete.text", { name: path.name })}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
    </>
  )
}

/** One learning path. Those who may not change it see its courses. */
export default function LearningPath() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const read = useRecord("/api/learningpath/{id}", { params: { path: { id } } })
  return (
    <Loaded of={read}>
      {({ record, version }) => (
        <Page title={record.name} within={{ href: "/console/learning-paths", label: t("courses:paths.title") }}>
          <p>
            <span class="badge">{wordOf("path", record.type)}</span>
          </p>
          {may(me, "staff") ? (
            <Editable key={id} record={record} version={version} reread={read.refetch} />
          ) : (
            <>
              <Picture url={record.featuredImageUrl} />
              <ol>
                {record.courses.map((course) => (
                  <li key={course.id}>
                    <a href={`/console/courses/${course.id}`}>{course.name}</a>
                  </li>
                ))}
              </ol>
            </>
          )}
        </Page>
      )}
    </Loaded>
  )
}
