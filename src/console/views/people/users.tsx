import type { RecordOf } from "../../../client/index.ts"
import { may, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"

type User = RecordOf<"/api/users/tabularlist">

const columns = (): Column<User>[] => [
  {
    key: "name",
    title: t("people:name"),
    sort: "first_name",
    render: (user) => <a href={`/console/users/${user.id}`}>{`${user.first_name} ${user.last_name}`}</a>,
  },
  { key: "email", title: t("people:email"), sort: "email", render: ({ email }) => email },
  { key: "type", title: t("people:role"), render: ({ display_user_type }) => display_user_type },
  { key: "created", title: t("people:created"), render: ({ created_at }) => <Time value={created_at} /> },
]

/** Everybody whom the caller may see: searched as one types, filtered by role. */
export default function Users() {
  const me = useMe()
  const types = useRead("/api/userType/lookup")
  return (
    <Page
      title={t("people:title")}
      actions={
        may(me, "staff") && (
          <a class="button primary" href="/console/users/new">
            {t("people:new")}
          </a>
        )
      }
    >
      <Listing
        path="/api/users/tabularlist"
        caption={t("people:title")}
        columns={columns()}
        keyOf={({ id }) => id}
        filters={[
          { name: "nameOrEmail", label: t("people:search") },
          {
            name: "userType",
            label: t("people:role"),
            options: (types.data ?? []).map(({ db_value, display_name }) => ({ value: db_value, label: display_name })),
          },
        ]}
      />
    </Page>
  )
}
