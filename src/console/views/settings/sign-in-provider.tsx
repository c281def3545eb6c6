import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { CopyField } from "../../ui/copy-field.tsx"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { UserPicker } from "../organizations/people.tsx"
import { AccountFields, ClaimFields, ConnectionFields, type Provider, toProviderChanges } from "./provider-fields.tsx"
import "./settings.css"

const PROVIDER_QUERIES = ["/api/sso-provider"]

/** What the administrator of the provider has to register there. */
const RegisteredUrls = ({ provider }: { provider: Provider }) => (
  <section class="card" aria-labelledby="urls">
    <h2 id="urls">{t("settings:provider.urls")}</h2>
    <p class="quiet">{t("settings:provider.urls.about")}</p>
    <CopyField name="callbackUrl" label={t("settings:provider.callback")} value={provider.callbackUrl} />
    <CopyField
      name="postLogoutUrl"
      label={t("settings:provider.post-logout")}
      hint={t("settings:provider.post-logout.hint")}
      value={new URL("/login", provider.callbackUrl).href}
    />
    <CopyField
      name="logoutUrl"
      label={t("settings:provider.logout")}
      hint={t("settings:provider.logout.hint")}
      value={provider.logoutUrl}
    />
    <CopyField
      name="startUrl"
      label={t("settings:provider.start")}
      hint={t("settings:provider.start.hint")}
      value={provider.startUrl}
    />
  </section>
)

interface ProviderFormProps {
  provider: Provider
  version: string
  refetch: () => Promise<unknown>
}

function ProviderForm({ provider, version, refetch }: ProviderFormProps) {
  const change = useChange({
    call: (body: Schemas["SsoProviderChanges"]) =>
      api.PUT("/api/sso-provider/{id}", {
        params: { path: { id: provider.id } },
        body,
        headers: { "If-Match": version },
      }),
    invalidates: PROVIDER_QUERIES,
  })
  return (
    <div class="split">
      <Form
        submit={t("save")}
        onSubmit={(values) => refetchOnConflict(() => change.mutateAsync(toProviderChanges(values)), refetch)}
      >
        <section class="form-part" aria-labelledby="connection">
          <h2 id="connection">{t("settings:provider.connection")}</h2>
          <ConnectionFields provider={provider} />
        </section>
        <section class="form-part" aria-labelledby="accounts">
          <h2 id="accounts">{t("settings:provider.accounts")}</h2>
          <AccountFields provider={provider} />
        </section>
        <section class="form-part" aria-labelledby="mapping">
          <h2 id="mapping">{t("settings:provider.mapping")}</h2>
          <ClaimFields provider={provider} />
        </section>
      </Form>
      <RegisteredUrls provider={provider} />
    </div>
  )
}

/** Deletes the links between users and their accounts at the provider. */
function UnlinkDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const [selected, setSelected] = useState<readonly Choice[]>([])
  const unlink = useChange({
    call: (user_ids: number[]) => api.POST("/api/sso-provider/unlink", { body: { provider_id: id, user_ids } }),
    invalidates: [],
  })
  return (
    <Dialog title={t("settings:provider.unlink")} onClose={onClose}>
      <Form
        submit={t("settings:provider.unlink")}
        isReady={selected.length > 0}
        extraState={selected}
        onSubmit={async () => {
          await unlink.mutateAsync(selected.map((user) => user.id))
          onClose()
        }}
        more={<CancelButton />}
      >
        <p class="quiet">{t("settings:provider.unlink.about")}</p>
        <UserPicker
          name="user_ids"
          label={t("settings:provider.unlink.users")}
          selected={selected}
          onSelect={setSelected}
        />
      </Form>
    </Dialog>
  )
}

export default function SignInProvider() {
  const id = Number(useRoute().params.id)
  const editable = useEditableRecord("/api/sso-provider/{id}", { params: { path: { id } } })
  const [isUnlinking, setIsUnlinking] = useState(false)
  return (
    <Page
      title={failedTitle(editable) ?? editable.data?.record.name ?? t("settings:provider")}
      parent={{ href: "/console/sign-in-providers", label: t("nav.sign-in-providers") }}
      actions={
        editable.data && (
          <button type="button" onClick={() => setIsUnlinking(true)}>
            {t("settings:provider.unlink")}
          </button>
        )
      }
    >
      <Loaded query={editable}>
        {({ record, version }) => (
          <ProviderForm key={record.id} provider={record} version={version} refetch={() => editable.refetch()} />
        )}
      </Loaded>
      {isUnlinking && <UnlinkDialog id={id} onClose={() => setIsUnlinking(false)} />}
    </Page>
  )
}
