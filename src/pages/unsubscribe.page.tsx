import type { NotificationKind } from "../../drizzle/schema/notifications.ts"
import { Layout, useWords } from "./page.tsx"

/** Asks before it ends mails of a kind. It works without JavaScript and without sign-in. */
export const UnsubscribePage = ({ token, kind }: { token: string; kind: NotificationKind | "digest" }) => {
  const { t } = useWords()
  return (
    <Layout title={t("unsubscribe")}>
      <main>
        <h1>{t("unsubscribe")}</h1>
        <p>{t("unsubscribe.text", { subject: t(`unsubscribe.${kind}`) })}</p>
        <form method="post" action={`/unsubscribe?token=${encodeURIComponent(token)}`}>
          <button type="submit">{t("unsubscribe")}</button>
        </form>
      </main>
    </Layout>
  )
}
