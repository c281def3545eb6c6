import { Building2 } from "lucide-preact"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { TextField } from "../../ui/form.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"
import { Time } from "../../ui/time.tsx"

/** Portals: parts of the academy with learners, administrators and branding of their own. */
export default function Portals() {
  const me = useMe()
  return (
    <RecordsPage
      kind={{
        list: "/api/portal/tabularlist",
        record: "/api/portal/{id}",
        nameOf: ({ name }) => name,
        fields: () => <TextField name="name" label={t("name")} required maxLength={100} />,
        toBody: (values) => ({ name: values.text("name") }),
        create: (body) => api.POST("/api/portal/create", { body }),
        change: (id, body, headers) => api.PUT("/api/portal/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/portal/delete", { body: { delete_ids } }),
        invalidates: ["/api/portal", "/api/users"],
      }}
      icon={Building2}
      texts={{
        title: t("organizations:portals"),
        new: t("organizations:portal.new"),
        edit: t("organizations:portal.edit"),
        delete: t("organizations:portal.delete"),
        deleteHint: t("organizations:portal.delete.hint"),
        empty: t("organizations:portal.empty"),
      }}
      canChange={hasAccess(me, "admin")}
      hrefOf={({ id }) => `/console/portals/${id}`}
      filters={[
        { name: "name", label: t("organizations:search") },
        {
          name: "status",
          label: t("organizations:status"),
          options: ["active", "inactive"].map((value) => ({ value, label: t(`organizations:status.${value}`) })),
        },
      ]}
      columns={[
        {
          key: "status",
          title: t("organizations:status"),
          sort: "status",
          render: ({ status }) => <Badge status={status}>{t(`organizations:status.${status}`)}</Badge>,
        },
        {
          key: "members",
          title: t("organizations:learners"),
          sort: "member_count",
          numeric: true,
          render: ({ member_count, totalSeat }) =>
            totalSeat > 0
              ? t("organizations:seats.used-of", { used: number(member_count), total: number(totalSeat) })
              : number(member_count),
        },
        {
          key: "expires",
          title: t("organizations:portal.expires"),
          sort: "expiryDate",
          // A day, as in its settings.
          render: ({ expiryDate }) => <Time value={expiryDate?.slice(0, 10)} />,
        },
      ]}
    />
  )
}
