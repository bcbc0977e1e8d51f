function u(t,o){let e;return()=>{clearTimeout(e),e=setTimeout(o,t)}}export{u as a};
