/** Whether a number can keep the text exactly. Any other text is sent as it was typed. */
export const isPlainNumber = (text: string): boolean =>
  /^-?\d+(?:\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').replace(/^0+/, '').length <= 15;
