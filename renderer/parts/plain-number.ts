/** Whether a text is what a number keeps exactly. Anything else is sent as the text that was typed. */
export const isPlainNumber = (text: string): boolean =>
  /^-?\d+(?:\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').replace(/^0+/, '').length <= 15;
