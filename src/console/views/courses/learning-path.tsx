import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord, type Versioned } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { CourseImage } from "../../ui/course-image.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { EnrollDialog } from "./enroll-dialog.tsx"
import { labelFor } from "./labels.ts"
import { type LearningPathBody, LearningPathForm } from "./learning-path-form.tsx"

interface LearningPathEditorProps extends Versioned<Schemas["LearningPath"]> {
  refetch: () => Promise<unknown>
}

function LearningPathEditor({ record: path, version, refetch }: LearningPathEditorProps) {
  const go = useNavigate()
  const [open, setOpen] = useState<"enroll" | "delete">()
  const params = { path: { id: path.id } }
  const change = useChange({
    call: (body: LearningPathBody) =>
      api.PUT("/api/learningpath/{id}", { params, body, headers: { "If-Match": version } }),
    invalidates: ["/api/learningpath"],
  })
  const remove = useChange({
    call: () => api.POST("/api/learningpath/delete", { body: { delete_ids: [path.id] } }),
    invalidates: ["/api/learningpath/tabularlist"],
  })
  const enroll = useChange({
    call: (user_ids: number[]) =>
      api.POST("/api/learningpath/enroll", { body: { learning_path_ids: [path.id], user_ids } }),
    invalidates: ["/api/course"],
  })
  const close = () => setOpen(undefined)
  return (
    <>
      <p>
        <button type="button" onClick={() => setOpen("enroll")}>
          {t("courses:enroll")}
        </button>
      </p>
      <LearningPathForm
        path={path}
        submit={t("save")}
        onSubmit={(body) => refetchOnConflict(() => change.mutateAsync(body), refetch)}
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
        <ConfirmDialog
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
        </ConfirmDialog>
      )}
    </>
  )
}

/** A learning path. Who can't edit it sees its courses. */
export default function LearningPath() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const path = useEditableRecord("/api/learningpath/{id}", { params: { path: { id } } })
  const parent = { href: "/console/learning-paths", label: t("courses:paths.title") }
  return (
    <Loaded query={path} parent={parent}>
      {({ record, version }) => (
        <Page title={record.name} parent={parent}>
          <p>
            <Badge>{labelFor("path", record.type)}</Badge>
          </p>
          {hasAccess(me, "staff") ? (
            <LearningPathEditor key={id} record={record} version={version} refetch={path.refetch} />
          ) : (
            <>
              <CourseImage url={record.featuredImageUrl} />
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
