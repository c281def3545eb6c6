import { t } from "../../messages/messages.ts"
import { CopyField } from "../../ui/copy-field.tsx"
import { Page } from "../../ui/page.tsx"

/** The parts of a record that a provider manages. */
const PROVISIONED = ["users", "deactivation", "deletion", "groups", "fields", "portals"] as const

/** The setup of the identity providers that `docs/api/scim.md` describes. */
const PROVIDERS = [
  { name: "entra", steps: ["create", "connect", "users", "groups", "start"] },
  { name: "okta", steps: ["create", "connect", "format", "start"] },
] as const

/** How an identity provider creates, changes and disables users, and manages groups. */
export default function Scim() {
  const baseUrl = `${location.origin}/scim/v2`
  return (
    <Page
      title={t("nav.scim")}
      actions={
        <a class="button primary" href="/console/keys?new=scim">
          {t("developers:scim.new-key")}
        </a>
      }
    >
      <p class="quiet">{t("developers:scim.about")}</p>
      <div class="in-order">
        <section class="card" aria-labelledby="connection">
          <h2 id="connection">{t("developers:scim.connection")}</h2>
          <CopyField
            name="base-url"
            label={t("developers:scim.base-url")}
            hint={t("developers:scim.base-url.hint")}
            value={baseUrl}
          />
          <CopyField
            name="tenant-url"
            label={t("developers:scim.tenant-url")}
            hint={t("developers:scim.tenant-url.hint")}
            value={`${baseUrl}?aadOptscim062020`}
          />
          <p>{t("developers:scim.token")}</p>
        </section>
        <section class="card" aria-labelledby="provisioned">
          <h2 id="provisioned">{t("developers:scim.provisioned")}</h2>
          <ul>
            {PROVISIONED.map((part) => (
              <li key={part}>{t(`developers:scim.provisioned.${part}`)}</li>
            ))}
          </ul>
          <p class="quiet">{t("developers:scim.ignored")}</p>
        </section>
        {PROVIDERS.map(({ name, steps }) => (
          <section class="card" key={name} aria-labelledby={name}>
            <h2 id={name}>{t(`developers:scim.${name}`)}</h2>
            <ol>
              {steps.map((step) => (
                <li key={step}>{t(`developers:scim.${name}.${step}`)}</li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Page>
  )
}
