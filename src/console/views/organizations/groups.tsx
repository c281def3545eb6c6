import { UsersRound } from "lucide-preact"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { number, t } from "../../messages/messages.ts"
import { ExternalIdField } from "../../ui/external-id-field.tsx"
import { TextField } from "../../ui/form.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"
import { Time } from "../../ui/time.tsx"

/** Groups, whose administrators see and enroll their members. */
export default function Groups() {
  const me = useMe()
  return (
    <RecordsPage
      kind={{
        list: "/api/group/tabularlist",
        record: "/api/group/{id}",
        nameOf: ({ name }) => name,
        fields: () => (
          <>
            <TextField name="name" label={t("name")} required maxLength={100} />
            <ExternalIdField />
          </>
        ),
        toBody: (values) => ({ name: values.text("name"), externalId: values.text("externalId") }),
        create: (body) => api.POST("/api/group/create", { body }),
        change: (id, body, headers) => api.PUT("/api/group/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/group/delete", { body: { delete_ids } }),
        invalidates: ["/api/group", "/api/users"],
      }}
      icon={UsersRound}
      texts={{
        title: t("organizations:groups"),
        new: t("organizations:group.new"),
        edit: t("organizations:group.edit"),
        delete: t("organizations:group.delete"),
        deleteHint: t("organizations:group.delete.hint"),
        empty: t("organizations:group.empty"),
      }}
      canChange={hasAccess(me, "staff")}
      hrefOf={({ id }) => `/console/groups/${id}`}
      filters={[{ name: "name", label: t("organizations:search") }]}
      columns={[
        {
          key: "members",
          title: t("organizations:members"),
          sort: "user_count",
          numeric: true,
          render: ({ user_count }) => number(user_count),
        },
        {
          key: "created",
          title: t("organizations:created"),
          sort: "created_at",
          render: ({ created_at }) => <Time value={created_at} />,
        },
      ]}
    />
  )
}
