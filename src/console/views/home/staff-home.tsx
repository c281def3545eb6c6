import { useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import { Page } from "../../ui/page.tsx"

/** Where those begin who work here. */
export default function StaffHome() {
  return <Page title={t("home:welcome", { name: useMe().name })}>{null}</Page>
}
