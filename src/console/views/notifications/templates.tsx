import type { DataOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { useLanguageName } from "../../ui/region-fields.tsx"
import { type Column, Table } from "../../ui/table.tsx"
import { kindDescription, kindLabel } from "./kinds.ts"

type Template = DataOf<"/api/notification-template/list", "get">["records"][number]

/** The kinds of notifications, and which texts the academy has changed. */
export default function NotificationTemplates() {
  const templates = useRead("/api/notification-template/list")
  const nameOfLanguage = useLanguageName()
  const columns: Column<Template>[] = [
    {
      key: "kind",
      title: t("notifications:kind"),
      render: ({ kind }) => <a href={`/console/settings/notifications/${kind}`}>{kindLabel(kind)}</a>,
    },
    { key: "about", title: t("notifications:sent-when"), render: ({ kind }) => kindDescription(kind) },
    {
      key: "custom",
      title: t("notifications:customized"),
      render: ({ custom }) =>
        custom.length === 0 ? (
          t("none")
        ) : (
          <Badge status="active">
            {[...new Set(custom.map(({ language }) => nameOfLanguage(language)))].join(", ")}
          </Badge>
        ),
    },
  ]
  return (
    <Page title={t("nav.notification-templates")}>
      <p class="quiet lead">{t("notifications:templates.about")}</p>
      <Loaded query={templates}>
        {({ records }) => (
          <Table
            caption={t("nav.notification-templates")}
            columns={columns}
            rows={records}
            keyOf={({ kind }) => kind}
          />
        )}
      </Loaded>
    </Page>
  )
}
