import { hasAccess, useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { ClassCalendar } from "./class-calendar.tsx"
import { ClassList } from "./class-list.tsx"

export default function Classes() {
  const me = useMe()
  const { query } = useUrlState()
  const isList = query.tab === "list"
  return (
    <Page
      title={t("nav.classes")}
      actions={
        hasAccess(me, "staff") && (
          <a class="button primary" href="/console/classes/new">
            {t("classes:class.new")}
          </a>
        )
      }
    >
      <Tabs
        label={t("nav.classes")}
        open={isList ? "list" : "calendar"}
        tabs={[
          { name: "calendar", title: t("classes:view.calendar") },
          { name: "list", title: t("classes:view.list") },
        ]}
      />
      {isList ? <ClassList canCreate={hasAccess(me, "staff")} /> : <ClassCalendar />}
    </Page>
  )
}
