import type { AccountTexts } from "./text-catalog.ts"

const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: paragraphs.join("\n\n") })

const NOT_YOU = "Si usted no hizo este cambio, póngase en contacto con un administrador."

export const SPANISH_ACCOUNT: AccountTexts = {
  greeting: "Hola, {{first_name}}:",
  greetingWithoutName: "Hola:",
  kinds: {
    welcome: text(
      "Le damos la bienvenida a {{academy}}",
      "Se creó una cuenta para usted en {{academy}}. Inicie sesión con esta dirección de correo y la contraseña " +
        "que recibió.",
      "[Iniciar sesión]({{url}})",
    ),
    email_confirm: text(
      "Confirme su dirección de correo para {{academy}}",
      "Alguien, probablemente usted, solicitó usar esta dirección de correo para su cuenta en {{academy}}.",
      "[Confirmar la dirección de correo]({{url}})",
      "El enlace funciona una sola vez y caduca en 24 horas. Si no lo solicitó, ignore este mensaje.",
    ),
    email_taken: text(
      "Su cuenta en {{academy}}",
      "Alguien, probablemente usted, solicitó usar esta dirección de correo para otra cuenta en {{academy}}. " +
        "Ya pertenece a su cuenta, por lo que no se cambió nada.",
    ),
    email_changed: text(
      "Se cambió su dirección de correo en {{academy}}",
      "Se cambió la dirección de correo de su cuenta en {{academy}}. Ya no puede " +
        "iniciar sesión con esta dirección.",
      `Si usted hizo este cambio, no tiene que hacer nada. ${NOT_YOU}`,
    ),
    sign_up_confirm: text(
      "Confirme su dirección de correo para {{academy}}",
      "Alguien, probablemente usted, se registró en {{academy}} con esta dirección de correo.",
      "[Confirmar el correo y elegir una contraseña]({{url}})",
      "El enlace funciona una sola vez y caduca en 2 días. Si no se registró, ignore este mensaje: no se creará " +
        "ninguna cuenta.",
    ),
    sign_up_exists: text(
      "Su cuenta en {{academy}}",
      "Alguien, probablemente usted, se registró en {{academy}} con esta dirección de " +
        "correo. Ya existe una cuenta " +
        "con ella: inicie sesión, o restablezca su contraseña si la olvidó.",
      "[Restablecer la contraseña]({{url}})",
    ),
    password_reset: text(
      "Restablezca su contraseña de {{academy}}",
      "Alguien, probablemente usted, solicitó restablecer la contraseña de su cuenta en {{academy}}.",
      "[Restablecer la contraseña]({{url}})",
      "El enlace funciona una sola vez y caduca en 1 hora. Al restablecer la contraseña se cierra la sesión en todos " +
        "sus dispositivos. Si no lo solicitó, ignore este mensaje: su contraseña no cambiará.",
    ),
    password_temporary: text(
      "Su contraseña temporal de {{academy}}",
      "Esta es una contraseña temporal para su cuenta en {{academy}}. Funciona una sola vez y caduca en 2 días. " +
        "Inicie sesión con ella para elegir su propia contraseña.",
      "**{{password}}**",
      "[Iniciar sesión]({{url}})",
      "Su contraseña anterior ya no es válida.",
    ),
    password_changed: text(
      "Se cambió su contraseña de {{academy}}",
      "Se cambió la contraseña de su cuenta en {{academy}}. Se cerró la sesión en todos los dispositivos.",
      "[Restablecer la contraseña]({{url}})",
      "Si usted hizo este cambio, no tiene que hacer nada. En caso contrario, " +
        "restablezca su contraseña y póngase " +
        "en contacto con un administrador.",
    ),
    provider_sign_in: text(
      "Inicie sesión en {{academy}}",
      "Alguien, probablemente usted, solicitó restablecer la contraseña de su cuenta " +
        "en {{academy}}. No necesita " +
        "contraseña: inicia sesión con {{provider}}.",
      "[Iniciar sesión con {{provider}}]({{url}})",
    ),
    provider_linked: text(
      "Ahora inicia sesión en {{academy}} con {{provider}}",
      "Su cuenta en {{academy}} se vinculó a {{provider}}. Su dirección de correo no " +
        "se había verificado antes, por " +
        "lo que se revocaron su contraseña, sus dispositivos, sus claves de API y su autenticación de dos factores.",
      NOT_YOU,
    ),
    cart_reminder: text(
      "Dejó artículos en su carrito de {{academy}}",
      "Su carrito contiene:",
      "{{items}}",
      "Total: {{total}}",
      "Si ya compró estos artículos o ya no los quiere, ignore este mensaje.",
    ),
    webhook_gone: text(
      "Se desactivó un webhook",
      "Se desactivó el webhook de {{host}}.",
      "El receptor respondió con 410 (Gone).",
      "Cuando lo vuelva a activar, recibirá los eventos perdidos de los últimos 30 días como máximo.",
    ),
    webhook_failing: text(
      "Se desactivó un webhook",
      "Se desactivó el webhook de {{host}}.",
      "No se pudo entregar ningún evento durante 3 días.",
      "Cuando lo vuelva a activar, recibirá los eventos perdidos de los últimos 30 días como máximo.",
    ),
  },
}
