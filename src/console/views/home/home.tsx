import { useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import { Page } from "../../ui/page.tsx"

/** Where everybody begins. */
export default function Home() {
  const me = useMe()
  return <Page title={t("home:welcome", { name: me.name })}>{null}</Page>
}
