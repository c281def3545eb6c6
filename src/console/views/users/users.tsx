import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { may, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { type Filter, Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { type Deletion, Kept } from "./blocked-deletion.tsx"
import { EnrollDialog } from "./enroll-dialog.tsx"
import { CHOICES, categoryOptions } from "./lookups.ts"
import { useDeleteUsers, useDisable } from "./user-mutations.ts"

type User = RecordOf<"/api/users/tabularlist">

const nameOf = ({ first_name, last_name }: User) => `${first_name} ${last_name}`.trim()

const columns = (): Column<User>[] => [
  {
    key: "name",
    title: t("users:name"),
    sort: "first_name",
    render: (user) => (
      <>
        <a href={`/console/users/${user.id}`}>{nameOf(user)}</a>{" "}
        {user.is_disabled && <span class="badge">{t("users:suspended")}</span>}
      </>
    ),
  },
  { key: "email", title: t("users:email"), sort: "email", render: ({ email }) => email },
  { key: "type", title: t("users:role"), sort: "display_user_type", render: ({ display_type }) => display_type },
  { key: "category", title: t("users:categories"), render: ({ user_category }) => user_category || t("none") },
  { key: "portals", title: t("users:portals"), render: ({ portals }) => portals || t("none") },
  { key: "login", title: t("users:last-login"), sort: "last_login", render: ({ last_login }) => last_login },
  {
    key: "created",
    title: t("users:created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

/** What the list is searched by: below staff, by the groups and portals that the caller administers too. */
function useFilters(): Filter[] {
  const me = useMe()
  const isStaff = may(me, "staff")
  const types = useRead("/api/userType/lookup")
  const categories = useRead("/api/categories/user/lookup", CHOICES)
  const memberships = useRead("/api/membership/tabularlist", CHOICES, { enabled: isStaff })
  const places = (name: string, label: string, list: { id: number; name: string }[]): Filter[] =>
    list.length > 0
      ? [{ name, label, plain: true, options: list.map((place) => ({ value: place.id, label: place.name })) }]
      : []
  return [
    { name: "nameOrEmail", label: t("users:search") },
    {
      name: "userType",
      label: t("users:role"),
      options: (types.data ?? []).map(({ db_value, display_name }) => ({ value: db_value, label: display_name })),
    },
    { name: "userCategoryId", label: t("users:category"), options: categoryOptions(categories.data) },
    ...(isStaff
      ? [
          {
            name: "membershipId",
            label: t("users:membership"),
            options: (memberships.data?.records ?? []).map(({ id, name }) => ({ value: id, label: name })),
            toApi: Number,
          },
        ]
      : []),
    { name: "courseName", label: t("users:course") },
    ...places("group_id", t("users:group"), me.scope.groups),
    ...places("portalId", t("users:portal"), me.scope.portals),
  ]
}

/** What is asked of the chosen users. */
interface Asked {
  act: "enroll" | "disable" | "enable" | "delete"
  rows: readonly User[]
  clear: () => void
}

/** Everybody whom the caller may see: searched as one types, filtered, and changed many at a time. */
export default function Users() {
  const me = useMe()
  const isStaff = may(me, "staff")
  const filters = useFilters()
  const [asked, ask] = useState<Asked>()
  const [kept, setKept] = useState<Deletion>()
  const disable = useDisable()
  const remove = useDeleteUsers()
  const ids = asked?.rows.map(({ id }) => id) ?? []
  const gaps = { count: ids.length, shown: ids.length }
  const close = () => ask(undefined)
  return (
    <Page
      title={t("users:title")}
      actions={
        isStaff && (
          <>
            <a class="button" href="/console/exports">
              {t("nav.exports")}
            </a>
            <a class="button" href="/console/upload">
              {t("nav.import")}
            </a>
            <a class="button primary" href="/console/users/new">
              {t("users:new")}
            </a>
          </>
        )
      }
    >
      <Listing
        path="/api/users/tabularlist"
        caption={t("users:title")}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        filters={filters}
        actions={(rows, clear) => (
          <>
            <button type="button" onClick={() => ask({ act: "enroll", rows, clear })}>
              {t("users:enroll")}
            </button>
            {isStaff && (
              <>
                <button type="button" onClick={() => ask({ act: "disable", rows, clear })}>
                  {t("users:suspend")}
                </button>
                <button type="button" onClick={() => ask({ act: "enable", rows, clear })}>
                  {t("users:reactivate")}
                </button>
              </>
            )}
            {may(me, "admin") && (
              <button type="button" class="danger" onClick={() => ask({ act: "delete", rows, clear })}>
                {t("delete")}
              </button>
            )}
          </>
        )}
      />
      {asked?.act === "enroll" && <EnrollDialog userIds={ids} onClose={close} onDone={asked.clear} />}
      {(asked?.act === "disable" || asked?.act === "enable") && (
        <Confirm
          title={asked.act === "disable" ? t("users:suspend.title", gaps) : t("users:reactivate.title", gaps)}
          confirm={asked.act === "disable" ? t("users:suspend") : t("users:reactivate")}
          onClose={close}
          onConfirm={async () => {
            await disable.mutateAsync({ ids, disabled: asked.act === "disable" })
            asked.clear()
          }}
        >
          <p>{asked.act === "disable" ? t("users:suspend.text") : t("users:reactivate.text")}</p>
        </Confirm>
      )}
      {asked?.act === "delete" && (
        <Confirm
          title={t("users:delete.title", gaps)}
          confirm={t("delete")}
          onClose={close}
          onConfirm={async () => {
            const deletion = await remove.mutateAsync(ids)
            if (deletion.notDeletedStudents.length > 0) setKept(deletion)
            asked.clear()
          }}
        >
          <p>{t("users:delete.text")}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
      {kept && <Kept of={kept} onClose={() => setKept(undefined)} />}
    </Page>
  )
}
