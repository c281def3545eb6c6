import { Layout, useWords } from "./page.tsx"

interface Props {
  token: string
  /** The current address of the account. */
  email: string
  /** The new address. */
  newEmail: string
  /** The name of the person's portal. */
  site: string | null
}

/** Asks to confirm a new email address. It works without JavaScript. */
export const ConfirmEmailPage = ({ token, email, newEmail, site }: Props) => {
  const { t } = useWords()
  return (
    <Layout title={t("email-change")} site={site}>
      <main>
        <h1>{t("email-change")}</h1>
        <p>{t("email-change.text", { email })}</p>
        <p>
          <strong dir="ltr">{newEmail}</strong>
        </p>
        <p>{t("email-change.warning")}</p>
        <form method="post" action="/email/confirm">
          <input type="hidden" name="token" value={token} />
          <button type="submit">{t("email-change.confirm")}</button>
        </form>
      </main>
    </Layout>
  )
}
