import type { DataOf, Schemas } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { CheckBox, Select, TextArea, TextField, type Values } from "../../ui/form.tsx"
import { ClaimMapping, GroupField, toMapping } from "./claim-mapping.tsx"

export type Provider = DataOf<"/api/sso-provider/{id}", "get">

const ROLES = ["general", "staff", "admin"] as const
const CLAIM_FIELDS = ["firstName", "lastName", "avatar", "emailVerified"] as const
const DEFAULT_SCOPES = "openid email profile"

/** The fields of the connection, which a new provider needs. */
export const ConnectionFields = ({ provider }: { provider: Provider | undefined }) => (
  <>
    <TextField
      name="name"
      label={t("name")}
      hint={t("settings:provider.name.hint")}
      defaultValue={provider?.name}
      required
      maxLength={100}
    />
    <TextField
      name="issuer"
      type="url"
      label={t("settings:provider.issuer")}
      hint={t("settings:provider.issuer.hint")}
      defaultValue={provider?.issuer}
      required
      maxLength={300}
      dir="ltr"
    />
    <TextField
      name="clientId"
      label={t("settings:provider.client-id")}
      defaultValue={provider?.clientId}
      required
      maxLength={255}
      dir="ltr"
      autocomplete="off"
    />
    <TextField
      name="clientSecret"
      type="password"
      label={t("settings:provider.client-secret")}
      hint={t(
        provider?.hasClientSecret ? "settings:provider.client-secret.kept" : "settings:provider.client-secret.hint",
      )}
      maxLength={500}
      dir="ltr"
      autocomplete="new-password"
    />
    {provider?.hasClientSecret && <CheckBox name="removeSecret" label={t("settings:provider.client-secret.remove")} />}
    <TextField
      name="scopes"
      label={t("settings:provider.scopes")}
      hint={t("settings:provider.scopes.hint")}
      defaultValue={provider?.scopes ?? DEFAULT_SCOPES}
      maxLength={200}
      dir="ltr"
    />
  </>
)

/** The portal whose members the provider signs in. */
function PortalField({ id }: { id: number | null }) {
  const portal = useRead("/api/portal/{id}", { params: { path: { id: id ?? 0 } } }, { enabled: id !== null })
  return (
    <Combobox
      name="portalId"
      label={t("settings:provider.portal")}
      hint={t("settings:provider.portal.hint")}
      path="/api/portal/tabularlist"
      searchBy="name"
      toChoice={({ id: portalId, name }) => ({ id: portalId, name })}
      value={id === null ? undefined : { id, name: portal.data?.name ?? "" }}
    />
  )
}

/** Who the provider signs in. */
export const AccountFields = ({ provider }: { provider: Provider }) => (
  <>
    <CheckBox name="active" label={t("settings:provider.active.box")} defaultChecked={provider.active} />
    <PortalField id={provider.portalId} />
    <TextArea
      name="domains"
      label={t("settings:provider.domains")}
      hint={t("settings:provider.domains.hint")}
      defaultValue={provider.domains.join("\n")}
      rows={3}
      dir="ltr"
    />
    <CheckBox name="create" label={t("settings:provider.create")} defaultChecked={provider.create} />
    <CheckBox name="force" label={t("settings:provider.force")} defaultChecked={provider.force} />
    <CheckBox name="endSession" label={t("settings:provider.end-session")} defaultChecked={provider.endSession} />
  </>
)

/** How claims fill in fields, roles and groups. */
export function ClaimFields({ provider }: { provider: Provider }) {
  const customFields = useRead("/api/users/customUserFields")
  const fields = [
    ...CLAIM_FIELDS.map((value) => ({ value: value as string, label: t(`settings:provider.field.${value}`) })),
    ...(customFields.data?.fields ?? []).map(({ userMetaKey, label }) => ({ value: userMetaKey, label })),
  ]
  if (customFields.error) return <ErrorMessage error={customFields.error} />
  // The options must exist before a select gets its value.
  if (!customFields.data) return null
  return (
    <>
      <ClaimMapping
        name="claims"
        label={t("settings:provider.claims")}
        hint={t("settings:provider.claims.hint")}
        from={t("settings:provider.claim")}
        values={provider.claims}
        target={(name, value) => (
          <Select name={name} label={t("settings:provider.field")} options={fields} value={value} />
        )}
      />
      <CheckBox name="update" label={t("settings:provider.update")} defaultChecked={provider.update} />
      <TextField
        name="roleClaim"
        label={t("settings:provider.role-claim")}
        hint={t("settings:provider.role-claim.hint")}
        defaultValue={provider.roleClaim}
        maxLength={200}
        dir="ltr"
      />
      <ClaimMapping
        name="roles"
        label={t("settings:provider.roles")}
        hint={t("settings:provider.roles.hint")}
        from={t("settings:provider.value")}
        values={provider.roles}
        target={(name, value) => (
          <Select
            name={name}
            label={t("settings:provider.role")}
            options={ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
            value={value}
          />
        )}
      />
      <TextField
        name="groupClaim"
        label={t("settings:provider.group-claim")}
        hint={t("settings:provider.group-claim.hint")}
        defaultValue={provider.groupClaim}
        maxLength={200}
        dir="ltr"
      />
      <ClaimMapping
        name="groups"
        label={t("settings:provider.groups")}
        hint={t("settings:provider.groups.hint")}
        from={t("settings:provider.value")}
        values={provider.groups}
        target={(name, value) => <GroupField name={name} id={value === undefined ? undefined : Number(value)} />}
      />
    </>
  )
}

export function toNewProvider(values: Values): Schemas["NewSsoProvider"] {
  const clientSecret = values.optional("clientSecret")
  return {
    name: values.text("name"),
    issuer: values.text("issuer"),
    clientId: values.text("clientId"),
    scopes: values.text("scopes") || DEFAULT_SCOPES,
    ...(clientSecret && { clientSecret }),
  }
}

export function toProviderChanges(values: Values): Schemas["SsoProviderChanges"] {
  const groups = Object.entries(toMapping(values, "groups")).map(([value, id]) => [value, Number(id)])
  return {
    ...toNewProvider(values),
    ...(values.checked("removeSecret") && { clientSecret: null }),
    portalId: values.number("portalId") ?? null,
    domains: values
      .text("domains")
      .split(/[\s,]+/)
      .filter(Boolean),
    claims: toMapping(values, "claims"),
    roleClaim: values.text("roleClaim"),
    roles: toMapping(values, "roles") as NonNullable<Schemas["SsoProviderChanges"]["roles"]>,
    groupClaim: values.text("groupClaim"),
    groups: Object.fromEntries(groups),
    active: values.checked("active"),
    create: values.checked("create"),
    force: values.checked("force"),
    endSession: values.checked("endSession"),
    update: values.checked("update"),
  }
}
