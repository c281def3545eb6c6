import { Signpost } from "lucide-preact"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import { TextArea, TextField, type Values } from "../../ui/form.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"

type Source = DataOf<"/api/user-source/{id}", "get">

const MAX_NAME = 100
const MAX_DESCRIPTION = 1000

const toBody = (values: Values) => ({
  name: values.text("name"),
  identifier: values.text("identifier"),
  description: values.text("description"),
})

const SourceFields = ({ source }: { source: Source | undefined }) => (
  <>
    <TextField name="name" label={t("name")} defaultValue={source?.name ?? ""} required maxLength={MAX_NAME} />
    <TextField
      name="identifier"
      label={t("users:source.identifier")}
      hint={t("users:source.identifier.hint")}
      defaultValue={source?.identifier ?? ""}
      required
      maxLength={MAX_NAME}
    />
    <TextArea
      name="description"
      label={t("users:source.description")}
      defaultValue={source?.description ?? ""}
      maxLength={MAX_DESCRIPTION}
    />
  </>
)

/** Where users come from, such as an open day or a partner. */
export default function UserSources() {
  const me = useMe()
  return (
    <RecordsPage
      icon={Signpost}
      kind={{
        list: "/api/user-source/tabularlist",
        record: "/api/user-source/{id}",
        nameOf: ({ name }) => name,
        fields: (source) => <SourceFields source={source} />,
        toBody,
        create: (body) => api.POST("/api/user-source/create", { body }),
        change: (id, body, headers) => api.PUT("/api/user-source/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/user-source/delete", { body: { delete_ids } }),
        invalidates: ["/api/user-source"],
      }}
      texts={{
        title: t("nav.sources"),
        new: t("users:source.new"),
        edit: t("users:source.edit"),
        delete: t("users:source.delete"),
        deleteHint: t("users:source.delete.hint"),
        empty: t("users:source.empty"),
      }}
      canChange={hasAccess(me, "admin")}
      columns={[
        {
          key: "identifier",
          title: t("users:source.identifier"),
          sort: "identifier",
          render: ({ identifier }) => <code>{identifier}</code>,
        },
        {
          key: "description",
          title: t("users:source.description"),
          sort: "description",
          render: ({ description }) => <span dir="auto">{description}</span>,
        },
      ]}
    />
  )
}
