import { Route } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { dateColumns, progressColumns } from "./enrollment-columns.tsx"
import type { User } from "./user-fields.tsx"
import { USER_QUERIES } from "./user-mutations.ts"

type PathEnrollment = RecordOf<"/api/users/enrolled-learningpaths">

const pathColumns = (): Column<PathEnrollment>[] => [
  {
    key: "path",
    title: t("users:path"),
    sort: "learningPathName",
    render: ({ learningPathName }) => learningPathName,
  },
  ...progressColumns<PathEnrollment>(),
  ...dateColumns<PathEnrollment>(),
]

/** The learning paths of a user; staff can remove the user from them. */
export function UserPaths({ user }: { user: User }) {
  const isStaff = hasAccess(useMe(), "staff")
  const [toRemove, setToRemove] = useState<{ rows: readonly PathEnrollment[]; clear: () => void }>()
  const unenroll = useChange({
    call: (learning_path_ids: number[]) =>
      api.POST("/api/learningpath/unenroll", { body: { user_ids: [user.id], learning_path_ids } }),
    invalidates: USER_QUERIES,
  })
  const rows = toRemove?.rows ?? []
  return (
    <>
      <h2>{t("users:paths")}</h2>
      <Listing
        path="/api/users/enrolled-learningpaths"
        caption={t("users:paths")}
        columns={pathColumns()}
        keyOf={({ id }) => id}
        nameOf={({ learningPathName }) => learningPathName}
        query={{ user_id: user.id }}
        prefix="paths."
        empty={{
          icon: Route,
          text: t("users:paths.none"),
          action: { label: t("nav.learning-paths"), href: "/learning-paths" },
        }}
        size={10}
        {...(isStaff && {
          actions: (selected: readonly PathEnrollment[], clear: () => void) => (
            <button type="button" class="danger" onClick={() => setToRemove({ rows: selected, clear })}>
              {t("users:paths.unenroll")}
            </button>
          ),
        })}
      />
      {toRemove && (
        <ConfirmDialog
          title={t("users:paths.unenroll")}
          confirm={t("users:paths.unenroll")}
          onClose={() => setToRemove(undefined)}
          onConfirm={async () => {
            await unenroll.mutateAsync(rows.map(({ learningPathId }) => learningPathId))
            toRemove.clear()
          }}
        >
          <p>{t("users:paths.unenroll.text")}</p>
          <ul>
            {rows.map(({ id, learningPathName }) => (
              <li key={id}>{learningPathName}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </>
  )
}
