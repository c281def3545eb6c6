import type { AccountTexts } from "./text-catalog.ts"

const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: paragraphs.join("\n\n") })

const NOT_YOU = "Se você não fez essa alteração, entre em contato com um administrador."

export const PORTUGUESE_ACCOUNT: AccountTexts = {
  greeting: "Olá, {{first_name}}!",
  greetingWithoutName: "Olá!",
  kinds: {
    welcome: text(
      "Boas-vindas a {{academy}}",
      "Uma conta foi criada para você em {{academy}}. Entre com este endereço de e-mail e a senha que você recebeu.",
      "[Entrar]({{url}})",
    ),
    email_confirm: text(
      "Confirme seu endereço de e-mail em {{academy}}",
      "Alguém, provavelmente você, pediu para usar este endereço de e-mail na própria conta em {{academy}}.",
      "[Confirmar endereço de e-mail]({{url}})",
      "O link funciona uma única vez e expira em 24 horas. Se você não pediu isso, ignore este e-mail.",
    ),
    email_taken: text(
      "Sua conta em {{academy}}",
      "Alguém, provavelmente você, pediu para usar este endereço de e-mail em outra conta em {{academy}}. Ele já " +
        "pertence à sua conta, portanto nada foi alterado.",
    ),
    email_changed: text(
      "Seu endereço de e-mail em {{academy}} foi alterado",
      "O endereço de e-mail da sua conta em {{academy}} foi alterado. Não é mais possível entrar com este endereço.",
      `Se você fez essa alteração, não precisa fazer nada. ${NOT_YOU}`,
    ),
    sign_up_confirm: text(
      "Confirme seu endereço de e-mail em {{academy}}",
      "Alguém, provavelmente você, se cadastrou em {{academy}} com este endereço de e-mail.",
      "[Confirmar e-mail e definir senha]({{url}})",
      "O link funciona uma única vez e expira em 2 dias. Se você não se cadastrou, ignore este e-mail: nenhuma conta " +
        "será criada.",
    ),
    sign_up_exists: text(
      "Sua conta em {{academy}}",
      "Alguém, provavelmente você, se cadastrou em {{academy}} com este endereço de e-mail. Já existe uma conta com " +
        "ele: entre, ou redefina sua senha se você a esqueceu.",
      "[Redefinir senha]({{url}})",
    ),
    password_reset: text(
      "Redefina sua senha em {{academy}}",
      "Alguém, provavelmente você, pediu para redefinir a senha da sua conta em {{academy}}.",
      "[Redefinir senha]({{url}})",
      "O link funciona uma única vez e expira em 1 hora. Ao redefinir a senha, você sai de todos os dispositivos. Se " +
        "você não pediu isso, ignore este e-mail: sua senha não será alterada.",
    ),
    password_temporary: text(
      "Sua senha temporária em {{academy}}",
      "Esta é uma senha temporária para sua conta em {{academy}}. Ela funciona uma única vez e expira em 2 dias. " +
        "Entre com ela para definir sua própria senha.",
      "**{{password}}**",
      "[Entrar]({{url}})",
      "Sua senha anterior não funciona mais.",
    ),
    password_changed: text(
      "Sua senha em {{academy}} foi alterada",
      "A senha da sua conta em {{academy}} foi alterada. Todos os dispositivos foram desconectados.",
      "[Redefinir senha]({{url}})",
      "Se você fez essa alteração, não precisa fazer nada. Caso contrário, redefina sua senha e entre em contato com " +
        "um administrador.",
    ),
    provider_sign_in: text(
      "Entre em {{academy}}",
      "Alguém, provavelmente você, pediu para redefinir a senha da sua conta em {{academy}}. Você não precisa de " +
        "senha: você entra com {{provider}}.",
      "[Entrar com {{provider}}]({{url}})",
    ),
    provider_linked: text(
      "Agora você entra em {{academy}} com {{provider}}",
      "Sua conta em {{academy}} foi vinculada a {{provider}}. O endereço de e-mail ainda não havia sido verificado, " +
        "por isso a senha, os dispositivos, as chaves de API e a autenticação de dois fatores foram revogados.",
      NOT_YOU,
    ),
    cart_reminder: text(
      "Você deixou itens no carrinho em {{academy}}",
      "Seu carrinho contém:",
      "{{items}}",
      "Total: {{total}}",
      "Se você já comprou estes itens ou não os quer mais, ignore este e-mail.",
    ),
    webhook_gone: text(
      "Um webhook foi desativado",
      "O webhook em {{host}} foi desativado.",
      "O destinatário respondeu com 410 (Gone).",
      "Quando você o reativar, ele receberá os eventos perdidos dos últimos 30 dias, no máximo.",
    ),
    webhook_failing: text(
      "Um webhook foi desativado",
      "O webhook em {{host}} foi desativado.",
      "Nenhum evento pôde ser entregue durante 3 dias.",
      "Quando você o reativar, ele receberá os eventos perdidos dos últimos 30 dias, no máximo.",
    ),
  },
}
